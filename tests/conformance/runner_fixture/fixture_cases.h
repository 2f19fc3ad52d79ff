// SPDX-License-Identifier: Apache-2.0
// The tables of the runner's test program: cases that misbehave in every way that a case can.
#pragma once

#include <sys/types.h>

#include <string>

#include "conformance/runner/suite.h"

namespace sandproof::conformance::fixture {

Suite fixture_suite();

// fixture_cases_<area>.cc
void add_outcome_cases(std::vector<Case>& cases);
void add_hostile_cases(std::vector<Case>& cases);
void add_process_cases(std::vector<Case>& cases);
void add_sandbox_cases(std::vector<Case>& cases);

/// Starts this program as one that sleeps until it is killed; with `argument` as a word of its
/// command line. `own_session`: reparented, in a session of its own, all descriptors closed; the
/// pid returned is then that of a process that has ended.
pid_t start_sleeper(const std::string& argument, bool own_session);

}  // namespace sandproof::conformance::fixture

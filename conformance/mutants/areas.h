// SPDX-License-Identifier: Apache-2.0
// One function per area of the contract, each in the file of its name; composed in mutants.cc.
#pragma once

#include <vector>

#include "sandproof/conformance/mutant.h"

namespace sandproof::conformance {

std::vector<Mutant> cap_mutants();
std::vector<Mutant> cap_unclaimed_mutants();
std::vector<Mutant> session_mutants();
/// Part of session_mutants().
std::vector<Mutant> session_end_mutants();
std::vector<Mutant> close_mutants();
/// Parts of close_mutants().
std::vector<Mutant> close_running_mutants();
std::vector<Mutant> close_late_mutants();
std::vector<Mutant> destroy_mutants();
/// Part of destroy_mutants().
std::vector<Mutant> destroy_others_mutants();
std::vector<Mutant> attach_mutants();
/// Part of attach_mutants().
std::vector<Mutant> attach_environment_mutants();
std::vector<Mutant> exec_mutants();
/// Parts of exec_mutants().
std::vector<Mutant> exec_launch_mutants();
std::vector<Mutant> exec_place_mutants();
std::vector<Mutant> exec_input_mutants();
std::vector<Mutant> exec_running_mutants();
std::vector<Mutant> exec_async_mutants();
std::vector<Mutant> env_mutants();
/// Part of env_mutants().
std::vector<Mutant> env_refused_mutants();
std::vector<Mutant> stream_mutants();
/// Parts of stream_mutants().
std::vector<Mutant> stream_flow_mutants();
std::vector<Mutant> stream_delivery_mutants();
std::vector<Mutant> stream_collected_mutants();
std::vector<Mutant> collect_mutants();
std::vector<Mutant> collect_end_mutants();
std::vector<Mutant> wait_mutants();
std::vector<Mutant> kill_mutants();
std::vector<Mutant> file_mutants();
std::vector<Mutant> file_safe_mutants();
std::vector<Mutant> snap_mutants();
/// Part of snap_mutants().
std::vector<Mutant> snap_reference_mutants();
std::vector<Mutant> set_mutants();
std::vector<Mutant> log_mutants();
std::vector<Mutant> meta_mutants();
std::vector<Mutant> leak_mutants();
std::vector<Mutant> runner_mutants();

}  // namespace sandproof::conformance

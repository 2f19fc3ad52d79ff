// SPDX-License-Identifier: Apache-2.0
// The areas of the contract, each a function that makes its rows. Composed in conformance/rules.cc,
// which alone calls them. Pure; any thread.
#pragma once

#include <vector>

#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {

std::vector<Rule> cap_rules();
std::vector<Rule> session_rules();
std::vector<Rule> close_rules();
std::vector<Rule> destroy_rules();
std::vector<Rule> attach_rules();
std::vector<Rule> exec_rules();
std::vector<Rule> env_rules();
std::vector<Rule> stream_rules();
std::vector<Rule> collect_rules();
std::vector<Rule> wait_rules();
std::vector<Rule> kill_rules();
std::vector<Rule> file_rules();
std::vector<Rule> snap_rules();
std::vector<Rule> set_rules();
std::vector<Rule> log_rules();
std::vector<Rule> meta_rules();
std::vector<Rule> leak_rules();
std::vector<Rule> fault_rules();

}  // namespace sandproof::conformance

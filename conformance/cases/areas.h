// SPDX-License-Identifier: Apache-2.0
// One function per area of the contract, each in the file of its name; composed in cases.cc.
#pragma once

#include <vector>

#include "sandproof/conformance/case.h"

namespace sandproof::conformance {

std::vector<Case> cap_cases();
std::vector<Case> session_cases();
/// Part of session_cases().
std::vector<Case> session_end_cases();
std::vector<Case> close_cases();
/// Part of close_cases().
std::vector<Case> close_running_cases();
std::vector<Case> destroy_cases();
std::vector<Case> attach_cases();
std::vector<Case> exec_cases();
/// Parts of exec_cases().
std::vector<Case> exec_full_cases();
std::vector<Case> exec_place_cases();
std::vector<Case> exec_input_cases();
std::vector<Case> exec_running_cases();
std::vector<Case> env_cases();
std::vector<Case> stream_cases();
/// Parts of stream_cases().
std::vector<Case> stream_flow_cases();
std::vector<Case> stream_delivery_cases();
std::vector<Case> collect_cases();
std::vector<Case> collect_end_cases();
std::vector<Case> wait_cases();
std::vector<Case> kill_cases();
std::vector<Case> file_cases();
/// Part of file_cases().
std::vector<Case> file_safe_cases();
std::vector<Case> snap_cases();
std::vector<Case> set_cases();
std::vector<Case> log_cases();
std::vector<Case> meta_cases();
std::vector<Case> leak_cases();

}  // namespace sandproof::conformance

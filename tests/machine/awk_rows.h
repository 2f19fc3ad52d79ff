// SPDX-License-Identifier: Apache-2.0
// Programs of awk that run on the machine and on the real one, for tests that compare them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/machine/program_box.h"

namespace sandproof::machine {

/// awk 'program' words…, with files f1 ("a\nb\n") and f2 ("c\nd\n") besides those given. On the
/// machine `sh` is a small one, enough for what rows ask of it.
ProgramRun awk_row(std::string program, std::string input = "", std::vector<std::string> words = {},
                   std::map<std::string, std::string> files = {});
/// awk words…
ProgramRun awk_words(std::vector<std::string> words, std::string input = "",
                     std::map<std::string, std::string> files = {});

/// The same output, message, status and files on the machine and in busybox.
void expect_awk_alike(const std::vector<ProgramRun>& rows);
void expect_awk_alike(const std::vector<std::string>& programs, const std::string& input = "");

/// For what Debian's busybox is built without or refuses: the other real awk, mawk, says what is
/// right.
void expect_awk_as_mawk(const std::vector<std::string>& programs, const std::string& input = "");

}  // namespace sandproof::machine

// SPDX-License-Identifier: Apache-2.0
// The errors of the machine's system calls: the numbers and the texts of Linux, so that a program
// of the machine says what the real one says. Values and pure functions; any thread.
#pragma once

#include <string_view>

namespace sandproof::machine {

enum class Errno : int {
  kOk = 0,
  kPerm = 1,
  kNoent = 2,
  kSrch = 3,
  kIntr = 4,
  kIo = 5,
  kNxio = 6,
  k2big = 7,
  kNoexec = 8,
  kBadf = 9,
  kChild = 10,
  kAgain = 11,
  kNomem = 12,
  kAcces = 13,
  kFault = 14,
  kBusy = 16,
  kExist = 17,
  kXdev = 18,
  kNodev = 19,
  kNotdir = 20,
  kIsdir = 21,
  kInval = 22,
  kNfile = 23,
  kMfile = 24,
  kNotty = 25,
  kTxtbsy = 26,
  kFbig = 27,
  kNospc = 28,
  kSpipe = 29,
  kRofs = 30,
  kMlink = 31,
  kPipe = 32,
  kDom = 33,
  kRange = 34,
  kNametoolong = 36,
  kNosys = 38,
  kNotempty = 39,
  kLoop = 40,
  kOverflow = 75,
  kNotsup = 95,
};

/// As strerror() of the C locale: "No such file or directory".
std::string_view text_of(Errno error);

}  // namespace sandproof::machine

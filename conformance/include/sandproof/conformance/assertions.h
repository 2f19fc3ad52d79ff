// SPDX-License-Identifier: Apache-2.0
// What every case file includes: GoogleTest's assertions, counted, and the matchers of the suite.
//
// GoogleTest reports failures, not passed assertions. The suite has to know that a case asserted
// something, and has to be able to leave one assertion out to see whether a mutant notices. Each
// assertion macro of GoogleTest begins with the same prefix macro; it is extended here by a call
// that counts the assertion's place and says whether to skip it. tests/conformance checks that this
// still holds for the installed GoogleTest.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace sandproof::conformance {

/// Counts one assertion that is about to be evaluated. True: leave it out. Any thread.
bool leave_out_assertion(const char* file, int line);

}  // namespace sandproof::conformance

#undef GTEST_AMBIGUOUS_ELSE_BLOCKER_
#define GTEST_AMBIGUOUS_ELSE_BLOCKER_                                      \
  if (::sandproof::conformance::leave_out_assertion(__FILE__, __LINE__)) { \
  } else /* NOLINT */

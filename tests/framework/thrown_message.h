// SPDX-License-Identifier: Apache-2.0
// The message of an expected error, so that a test can say what must stand in it.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>

namespace sandproof {

/// What the `Expected` that `call` throws says; a failure and an empty text where it throws nothing
/// or something else.
template <typename Expected, typename Call>
std::string thrown_message(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another error was thrown: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// The machine's errors have the numbers and the texts of the system that it stands for.
#include "fakes/machine/errno.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sandproof::machine {
namespace {

TEST(Errno, TextsAreThoseOfTheSystem) {
  constexpr int kLargest = 133;
  int known = 0;
  for (int number = 0; number <= kLargest; ++number) {
    const std::string_view text = text_of(static_cast<Errno>(number));
    if (text == "Unknown error") continue;
    ++known;
    EXPECT_EQ(text, std::strerror(number)) << number;
  }
  EXPECT_GE(known, 39);
}

}  // namespace
}  // namespace sandproof::machine

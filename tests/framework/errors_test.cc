// SPDX-License-Identifier: Apache-2.0
// The errors: one base, what each carries, and the messages that they make themselves.
#include "sandproof/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sandproof/output.h"

namespace sandproof {
namespace {

using testing::HasSubstr;

template <typename T>
class EveryError : public testing::Test {};
using AllErrors = testing::Types<SessionClosedError, ExecError, UnsupportedError, NotFoundError,
                                 InvalidArgumentError, TimeoutError, AlreadyCollectedError,
                                 SandboxLostError, FileTransferError, BackendError>;
TYPED_TEST_SUITE(EveryError, AllErrors);

TYPED_TEST(EveryError, DerivesFromTheOneBase) {
  static_assert(std::is_base_of_v<Error, TypeParam>);
  static_assert(std::is_base_of_v<std::runtime_error, Error>);
  // Thrown errors are copied by std::exception_ptr and by handlers.
  static_assert(std::is_copy_constructible_v<TypeParam>);
  static_assert(std::is_nothrow_copy_constructible_v<TypeParam>);
}

TEST(Errors, SessionClosedNamesTheSessionAndSaysWhatToDo) {
  const SessionClosedError error("local-0123456789ab");
  EXPECT_THAT(error.what(), HasSubstr("local-0123456789ab"));
  EXPECT_THAT(error.what(), HasSubstr("closed"));
  EXPECT_THAT(error.what(), HasSubstr("create a new session"));
}

TEST(Errors, UnsupportedNamesTheOperationAndTheFlavor) {
  const UnsupportedError error("create_snapshot", "local");
  EXPECT_THAT(error.what(), HasSubstr("create_snapshot is not supported by local"));
}

TEST(Errors, ExecErrorSaysWhy) {
  const ExecError error(LaunchFailure::kBadCwd, "cannot start `true`: no directory /x");
  EXPECT_EQ(error.why(), LaunchFailure::kBadCwd);
  EXPECT_STREQ(error.what(), "cannot start `true`: no directory /x");
}

TEST(Errors, SandboxLostCarriesTheOutputSoFar) {
  EXPECT_EQ(SandboxLostError("gone").partial(), nullptr);
  auto output = std::make_shared<Output>();
  output->out = "half";
  const SandboxLostError error("gone", std::move(output));
  const SandboxLostError copy = error;
  ASSERT_NE(copy.partial(), nullptr);
  EXPECT_EQ(copy.partial()->out, "half");
  EXPECT_STREQ(copy.what(), "gone");
}

TEST(Errors, BackendErrorCarriesTheStatus) {
  EXPECT_EQ(BackendError("refused", 409).status(), 409);
  EXPECT_EQ(BackendError("refused").status(), 0);
}

}  // namespace
}  // namespace sandproof

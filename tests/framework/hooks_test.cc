// SPDX-License-Identifier: Apache-2.0
// The defaults of the hooks: a flavor that wrote only what it must refuses the rest by name.
#include "sandproof/hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using testing::HasSubstr;

class LeastProcess : public ProcessHooks {
 public:
  int do_descriptor(Channel) const noexcept override { return -1; }
  IoResult do_read(Stream, std::span<std::byte>) noexcept override { return IoResult::end(); }
  std::optional<ExitStatus> do_poll_exit() noexcept override { return ExitStatus::exited(0); }
  void do_kill() override {}
};

class LeastSession : public SessionHooks {
 public:
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest&) override {
    return std::make_unique<LeastProcess>();
  }
  void do_close() override {}
};

class LeastSandbox : public SandboxHooks {
 public:
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec&) override {
    return std::make_unique<LeastSession>();
  }
};

TEST(HookDefaults, NobodyReadsTheInput) {
  LeastProcess process;
  EXPECT_EQ(process.do_write({}).state, IoState::kEnd);
  EXPECT_NO_THROW(process.do_close_input());
}

TEST(HookDefaults, ASessionRefusesByName) {
  LeastSession session;
  EXPECT_THAT(thrown_message<UnsupportedError>([&] { session.do_upload_file("a", "b"); }),
              HasSubstr("upload_file is not supported"));
  EXPECT_THAT(thrown_message<UnsupportedError>([&] { session.do_download_file("a", "b"); }),
              HasSubstr("download_file is not supported"));
  EXPECT_THAT(thrown_message<UnsupportedError>([&] { (void)session.do_create_snapshot(); }),
              HasSubstr("create_snapshot is not supported"));
  EXPECT_EQ(session.do_dashboard_url(), std::nullopt);
  EXPECT_NO_THROW(session.do_destroy());
}

TEST(HookDefaults, ASandboxRefusesByName) {
  LeastSandbox sandbox;
  EXPECT_THAT(thrown_message<UnsupportedError>([&] { (void)sandbox.do_attach({}); }),
              HasSubstr("attach is not supported"));
  EXPECT_THAT(thrown_message<UnsupportedError>([&] { (void)sandbox.do_restore({}, {}, {}); }),
              HasSubstr("restore is not supported"));
  EXPECT_THAT(thrown_message<UnsupportedError>([&] { sandbox.do_delete_snapshot({}); }),
              HasSubstr("delete_snapshot is not supported"));
}

}  // namespace
}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// A sandbox: capabilities, what creates check and undo, attach, restore, and how a flavor's errors
// come out (CAP, SESSION-001 to SESSION-005, SNAP-005, SET-003).
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using SandboxCoreTest = FakeFlavorTest;

template <typename Call>
std::string text_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(SandboxCoreTest, SaysWhatItIs) {
  EXPECT_EQ(sandbox().flavor(), "fake");
  EXPECT_EQ(sandbox().component_id(), "fake-default");
  EXPECT_EQ(sandbox().capabilities(), capabilities_);
}

TEST_F(SandboxCoreTest, IdsAreUniqueOverThreads) {
  std::mutex mutex;
  std::set<std::string> ids;
  sandbox();
  on_threads(16, [&](std::size_t) {
    for (int i = 0; i < 4; ++i) {
      const std::string id = sandbox().create_session()->id();
      const std::lock_guard lock(mutex);
      ids.insert(id);
    }
  });
  EXPECT_EQ(ids.size(), 64u);
  for (const std::string& id : ids) {
    EXPECT_TRUE(std::regex_match(id, std::regex("fake-[0-9a-f]{12}"))) << id;
  }
  EXPECT_EQ(backend_->closes(), 64);
  EXPECT_EQ(backend_->sessions_alive(), 0);
}

TEST_F(SandboxCoreTest, WhatIsNotClaimedIsRefusedByNameAndContactsNothing) {
  capabilities_ = {};
  const Snapshot snapshot{"fake-default", "snapshot-1", {}};
  for (const std::string& text : {
           text_of([&] { sandbox().attach("fake-1"); }),
           text_of([&] { sandbox().restore(snapshot); }),
           text_of([&] { sandbox().delete_snapshot(snapshot); }),
           text_of([&] { session().create_snapshot(); }),
           text_of([&] { session().upload_file("a", "b"); }),
           text_of([&] { session().download_file("a", "b"); }),
           text_of([&] { session().exec_async({"a"}); }),
       }) {
    EXPECT_NE(text.find("fake"), std::string::npos) << text;
    EXPECT_NE(text, "nothing was thrown");
  }
  EXPECT_EQ(backend_->creates(), 1);
  EXPECT_THROW(session().create_snapshot(), UnsupportedError);
}

TEST_F(SandboxCoreTest, BadSettingsAreRefusedBeforeAnythingIsContacted) {
  Settings unknown;
  unknown.set("drain_garce", 1.0);
  EXPECT_THROW(sandbox().create_session(unknown), InvalidArgumentError);
  Settings wrong;
  wrong.set("drain_grace", "long");
  EXPECT_THROW(sandbox().create_session(wrong), InvalidArgumentError);
  EXPECT_EQ(backend_->creates(), 0);
  options_.settings = unknown;
  EXPECT_THROW(make_sandbox(FakeBackend::flavor(backend_, {}), options_), InvalidArgumentError);
}

TEST_F(SandboxCoreTest, ACreateThatTheFlavorRefusesLeavesNoSession) {
  backend_->on_create = [](const SessionSpec&) { throw BackendError("no room", 507); };
  try {
    sandbox().create_session();
    FAIL();
  } catch (const BackendError& error) {
    EXPECT_EQ(error.status(), 507);
  }
  backend_->on_create = [](const SessionSpec&) { throw std::runtime_error("odd"); };
  EXPECT_NE(text_of([&] { sandbox().create_session(); }).find("odd"), std::string::npos);
  EXPECT_EQ(backend_->sessions_alive(), 0);
}

TEST_F(SandboxCoreTest, AFlavorThatMakesNoHooksIsRefused) {
  Flavor flavor = FakeBackend::flavor(backend_, {});
  flavor.make_hooks = [](const ComponentContext&) { return nullptr; };
  EXPECT_THROW(make_sandbox(flavor, options_), BackendError);
  flavor.make_hooks = [](const ComponentContext&) -> std::unique_ptr<SandboxHooks> {
    throw std::runtime_error("no engine at this address");
  };
  const std::string text = text_of([&] { make_sandbox(flavor, options_); });
  EXPECT_NE(text.find("no engine at this address"), std::string::npos) << text;
}

TEST_F(SandboxCoreTest, AttachTakesNoIdThatCannotBeOne) {
  capabilities_ = Capabilities::all();
  const std::string too_long(64, 'a');
  for (const std::string& id : {std::string(), std::string("-a"), std::string("A"),
                                std::string("a b"), std::string("../a"), too_long}) {
    EXPECT_THROW(sandbox().attach(id), NotFoundError) << id;
  }
  EXPECT_EQ(backend_->creates(), 0);
  const auto attached = sandbox().attach("fake-0123");
  EXPECT_EQ(attached->id(), "fake-0123");
}

TEST_F(SandboxCoreTest, AnAttachedSessionIsClosedAndNotDestroyedAtScopeExit) {
  capabilities_ = Capabilities::all();
  sandbox().attach("fake-1").reset();
  EXPECT_EQ(backend_->closes(), 1);
  EXPECT_EQ(backend_->destroys(), 0);
}

TEST_F(SandboxCoreTest, SnapshotsBelongToTheirComponent) {
  capabilities_ = Capabilities::all();
  const Snapshot mine = session().create_snapshot();
  EXPECT_EQ(mine.component_id, "fake-default");
  EXPECT_EQ(mine.ref, "snapshot-1");
  EXPECT_NE(sandbox().restore(mine)->id(), session().id());
  sandbox().delete_snapshot(mine);
  Snapshot other = mine;
  other.component_id = "somebody-else";
  for (const std::string& text : {text_of([&] { sandbox().restore(other); }),
                                  text_of([&] { sandbox().delete_snapshot(other); })}) {
    EXPECT_NE(text.find("somebody-else"), std::string::npos) << text;
    EXPECT_NE(text.find("fake-default"), std::string::npos) << text;
  }
  EXPECT_THROW(sandbox().restore(other), InvalidArgumentError);
}

TEST_F(SandboxCoreTest, HooksCanBeDecorated) {
  int made = 0;
  options_.decorate_hooks = [&](std::unique_ptr<SandboxHooks> hooks) {
    ++made;
    return hooks;
  };
  session();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace sandproof

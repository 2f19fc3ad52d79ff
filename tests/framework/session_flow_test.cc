// SPDX-License-Identifier: Apache-2.0
// What a session writes to its step: log lines and metadata (LOG, META), and that sinks that fail
// break nothing. SessionLog alone is in session_log_test.cc.
#include <gtest/gtest.h>

#include <latch>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;

class SessionFlowTest : public FakeFlavorTest {
 protected:
  SessionFlowTest() { in_step_ = true; }

  std::vector<std::string> texts() { return logs_->texts("sandbox:" + session().id()); }
  /// The records so far, levels in front, times replaced.
  std::vector<std::string> story() {
    std::vector<std::string> result;
    for (const LogRecord& record : logs_->records()) {
      const std::string text = std::string(to_string(record.level)) + " " + record.text;
      result.push_back(std::regex_replace(text, std::regex(" in \\d+\\.\\ds"), " in T"));
    }
    return result;
  }
};

TEST_F(SessionFlowTest, CommandLinesAndEndInOrder) {
  const auto process = session().exec({"echo", "a b", "c"});
  command().write(Stream::kOut, "one\n100% {} %s\nlast");
  command().close(Stream::kOut);
  command().write(Stream::kErr, "oops\n");
  command().finish(3);
  std::string line;
  process->out().next(line);  // Logged when it is handed out.
  process->collect();
  EXPECT_EQ(story(),
            (std::vector<std::string>{"info $ echo 'a b' c", "info one", "info 100% {} %s",
                                      "info last", "error oops", "error FAIL exit code 3 in T"}));
  EXPECT_EQ(logs_->opened(), std::vector<std::string>{"sandbox:" + session().id()});
}

TEST_F(SessionFlowTest, LinesAreNotLoggedBeforeSomebodyTakesThem) {
  const auto process = exec();
  command().write(Stream::kOut, numbered_lines(1 << 20));
  command().finish();
  process->wait();
  EXPECT_EQ(texts(), std::vector<std::string>{"$ command"});
}

TEST_F(SessionFlowTest, WhatTheCapDropsIsLoggedAllTheSame) {
  const auto process = exec();
  command().write(Stream::kOut, "a\nlong line\nb\n");
  command().finish();
  CollectOptions options;
  options.max_chars = 3;
  EXPECT_EQ(process->collect(options).out, "a\n");
  EXPECT_EQ(texts(),
            (std::vector<std::string>{"$ command", "a", "long line", "b", texts().back()}));
  EXPECT_EQ(texts().back().rfind("OK exit code 0 in", 0), 0u);
}

TEST_F(SessionFlowTest, LinesThatGoOutAsBytesAreLoggedWhenTheirEndGoesOut) {
  const auto process = exec();
  command().write(Stream::kOut, "one\ntwo\xE2\x89\xA4\nthree\nfour\nfive");
  command().write(Stream::kErr, "e");
  command().finish();
  const auto read = [&](Stream stream, std::size_t most) {
    std::string bytes(most, '\0');
    process->read_some(stream, std::as_writable_bytes(std::span(bytes)));
  };
  read(Stream::kOut, 3);
  EXPECT_EQ(texts(), std::vector<std::string>{"$ command"});
  read(Stream::kOut, 6);  // Up to inside the character.
  EXPECT_EQ(texts().back(), "one");
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  EXPECT_EQ(texts().back(), "two\xE2\x89\xA4");
  read(Stream::kOut, 2);
  process->collect();
  EXPECT_EQ(texts(), (std::vector<std::string>{"$ command", "one", "two\xE2\x89\xA4", "three",
                                               "four", "five", "e", texts().back()}));

  const auto other = exec();
  command().write(Stream::kOut, "a\nlast");
  command().finish();
  all_bytes(*other, Stream::kOut, 3);
  EXPECT_EQ(texts().back(), "last");
}

TEST_F(SessionFlowTest, InvalidBytesAreLoggedDecoded) {
  const auto process = exec();
  command().write(Stream::kOut, "a\xFF\n");
  command().finish();
  CollectOptions options;
  options.raw = true;
  EXPECT_EQ(process->collect(options).out, "a\xFF\n");
  EXPECT_EQ(texts()[1], "a\xEF\xBF\xBD");
}

TEST_F(SessionFlowTest, AnEndlessLineIsLoggedInPiecesAndNotKept) {
  const auto process = exec();
  std::jthread writer([&] {
    const std::string piece(1 << 20, 'x');
    for (int i = 0; i < 40; ++i) command().write(Stream::kOut, piece);
    command().finish();
  });
  CollectOptions options;
  options.max_chars = 100;
  EXPECT_TRUE(process->collect(options).out_truncated);
  std::size_t logged = 0;
  for (const std::string& text : texts()) {
    if (text.starts_with('x')) logged += text.size();
  }
  EXPECT_EQ(logged, std::size_t{40} << 20);
}

TEST_F(SessionFlowTest, AFailedLaunchIsLoggedWithItsReason) {
  backend_->on_exec = [](const auto&) {
    throw ExecError(LaunchFailure::kNotFound, "there is no 'nope' in PATH");
  };
  EXPECT_THROW(session().exec({"nope"}), ExecError);
  EXPECT_EQ(story(),
            (std::vector<std::string>{"info $ nope", "error FAIL there is no 'nope' in PATH"}));
}

TEST_F(SessionFlowTest, OutsideAStepNothingIsLoggedAndEverythingElseIsTheSame) {
  in_step_ = false;
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().finish();
  EXPECT_EQ(process->collect().out, "a\n");
  session().close();
  EXPECT_TRUE(logs_->opened().empty());
  EXPECT_TRUE(metadata_->entries().empty());
}

TEST_F(SessionFlowTest, CloseEndsTheSourceAndNothingOpensItAgain) {
  capabilities_ = Capabilities::all();
  backend_->on_close = [] {};
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  session().close();
  session().close();
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  command().finish();
  process->collect();
  EXPECT_EQ(logs_->opened().size(), 1u);
  EXPECT_EQ(logs_->ended().size(), 1u);
  EXPECT_TRUE(logs_->late().empty());
}

TEST_F(SessionFlowTest, ASessionWithoutEventsOpensNoSource) {
  session().close();
  EXPECT_TRUE(logs_->opened().empty());
}

TEST_F(SessionFlowTest, ManyThreadsOpenTheSourceOnce) {
  session();
  on_threads(8, [&](std::size_t) { exec()->kill(); });
  EXPECT_EQ(logs_->opened().size(), 1u);
  EXPECT_EQ(texts().size(), 8u);
}

struct UnreadRow {
  std::string name;
  std::string bytes;
  std::function<void(Process&)> read;
  bool drop_handle;
  std::string record;  ///< Empty: none.
};

TEST_F(SessionFlowTest, LinesThatNobodyTookAreCountedAtClose) {
  const auto nothing = [](Process&) {};
  const auto one_line = [](Process& process) {
    std::string line;
    process.out().next(line);
  };
  const auto all = [](Process& process) { all_bytes(process, Stream::kOut); };
  const auto most = [](Process& process) {
    std::byte bytes[3];
    process.read_some(Stream::kOut, bytes);
  };
  const std::vector<UnreadRow> rows = {
      {"nothing came", "", nothing, false, ""},
      {"nothing read", "a\nb\nc", nothing, false, "3 lines of output were never read"},
      {"one read", "a\nb\nc\n", one_line, false, "2 lines of output were never read"},
      {"all read as bytes", "a\nb\nc", all, false, ""},
      {"bytes up to inside the last", "a\nbc\n", most, false, "1 line of output was never read"},
      {"the handle is gone", "a\nb\n", one_line, true, "1 line of output was never read"},
  };
  for (const UnreadRow& row : rows) {
    SCOPED_TRACE(row.name);
    drop_session();
    drop_sandbox();
    const auto process_session = sandbox().create_session();
    auto process = process_session->exec({"a"});
    command().write(Stream::kOut, row.bytes);
    command().finish();
    // The end of stderr comes behind everything on stdout.
    std::string line;
    EXPECT_FALSE(process->err().next(line));
    row.read(*process);
    if (row.drop_handle) {
      process.reset();
      ASSERT_TRUE(command().wait_for_hooks_gone());
    }
    process_session->close();
    std::vector<std::string> counted;
    for (const std::string& text : logs_->texts("sandbox:" + process_session->id())) {
      if (text.find("never read") != std::string::npos) counted.push_back(text);
    }
    EXPECT_EQ(counted, row.record.empty() ? std::vector<std::string>{}
                                          : std::vector<std::string>{row.record});
  }
}

/// A store that fails at one of its calls.
class FailingStore : public LogStore {
 public:
  explicit FailingStore(std::string where) : where_(std::move(where)) {}
  std::unique_ptr<LogSource> open_source(const std::string&) override {
    if (where_ == "open") throw std::runtime_error("disk full");
    return std::make_unique<Source>(where_);
  }

 private:
  struct Source : LogSource {
    explicit Source(std::string failing) : where(std::move(failing)) {}
    void log(LogLevel, std::string_view) override {
      if (where == "log") throw std::runtime_error("disk full");
    }
    void end() override {
      if (where == "end") throw std::runtime_error("disk full");
    }
    std::string where;
  };
  std::string where_;
};

TEST_F(SessionFlowTest, AFailingSinkBreaksNothing) {
  for (const std::string where : {"open", "log", "end"}) {
    SCOPED_TRACE(where);
    SandboxOptions options;
    options.diagnostics = diagnostics_;
    options.current_step = [&] {
      return StepContext{"run", "step", std::make_shared<FailingStore>(where), nullptr, {}};
    };
    const auto box = make_sandbox(FakeBackend::flavor(backend_, capabilities_), options);
    const auto failing = box->create_session();
    const auto process = failing->exec({"a"});
    command().write(Stream::kOut, "a\nb\n");
    command().finish();
    std::string line;
    EXPECT_TRUE(process->out().next(line));
    EXPECT_EQ(process->collect().out, "b\n");
    failing->close();
  }
}

TEST_F(SessionFlowTest, ASlowSinkHoldsUpItsOwnCallerAlone) {
  std::latch in_log(1);
  std::latch let_go(1);
  class SlowStore : public LogStore {
   public:
    SlowStore(std::latch& in_log, std::latch& let_go) : in_log_(in_log), let_go_(let_go) {}
    std::unique_ptr<LogSource> open_source(const std::string&) override {
      struct Source : LogSource {
        explicit Source(SlowStore& owner) : store(owner) {}
        void log(LogLevel, std::string_view text) override {
          if (text != "slow") return;
          store.in_log_.count_down();
          store.let_go_.wait();
        }
        void end() override {}
        SlowStore& store;
      };
      return std::make_unique<Source>(*this);
    }

   private:
    std::latch& in_log_;
    std::latch& let_go_;
  };
  SandboxOptions options;
  options.diagnostics = diagnostics_;
  const auto store = std::make_shared<SlowStore>(in_log, let_go);
  options.current_step = [&] { return StepContext{"run", "step", store, nullptr, {}}; };
  const auto box = make_sandbox(FakeBackend::flavor(backend_, capabilities_), options);
  const auto slow = box->create_session();
  const auto process = slow->exec({"a"});
  std::jthread reader([&] {
    std::string line;
    process->out().next(line);
  });
  command().write(Stream::kOut, "slow\nfast\n");
  in_log.wait();
  // The same stream, the other one, and the status are all to be had.
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  EXPECT_EQ(line, "fast\n");
  command().finish();
  EXPECT_FALSE(process->err().next(line));
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
  let_go.count_down();
}

TEST_F(SessionFlowTest, MetadataIsPublishedOnCreateAttachAndRestore) {
  capabilities_ = Capabilities::all();
  backend_->on_dashboard_url = [] { return "https://example.test/1"; };
  const std::string id = session().id();
  sandbox().attach("fake-1");
  const auto restored = sandbox().restore({"fake-default", "snapshot-1", {}});
  using Entries = std::vector<std::pair<std::string, std::string>>;
  Entries expected;
  for (const std::string& one : {id, std::string("fake-1"), restored->id()}) {
    expected.emplace_back("sandbox." + one + ".flavor", "fake");
    expected.emplace_back("sandbox." + one + ".dashboard_url", "https://example.test/1");
  }
  EXPECT_EQ(metadata_->entries(), expected);
  EXPECT_EQ(session().dashboard_url(), "https://example.test/1");
}

TEST_F(SessionFlowTest, ADashboardHookThatThrowsAndAPublisherThatFailsBreakNothing) {
  class Failing : public MetadataSink {
    void publish(const std::string&, const std::string&) override {
      throw std::runtime_error("no metadata today");
    }
  };
  capabilities_ = Capabilities::all();
  backend_->on_dashboard_url = []() -> std::optional<std::string> {
    throw std::runtime_error("no url");
  };
  options_.current_step = [] {
    return StepContext{"run", "step", nullptr, std::make_shared<Failing>(), {}};
  };
  in_step_ = false;
  EXPECT_FALSE(session().dashboard_url());
  EXPECT_EQ(diagnostics_->count("no metadata today"), 1);
  EXPECT_EQ(diagnostics_->count("no url"), 1);
}

TEST_F(SessionFlowTest, SecretsAreKeptOutOfEveryTextThatTheFrameworkMakes) {
  const auto secrets = std::make_shared<MemorySecretStore>();
  secrets->put("db", "password", "hunter2hunter2");
  options_.secrets = secrets;
  settings_.set("environment", Environment{{"PASSWORD", "{{db.password}}"}});
  const std::string leak = "refused hunter2hunter2";
  backend_->on_exec = [&](const auto& command) {
    command->on_kill = [&] { throw BackendError(leak); };
  };
  const auto process = exec();
  EXPECT_EQ(command().request.env.at("PASSWORD"), "hunter2hunter2");
  process->kill();
  command().write(Stream::kOut, leak + "\n");
  command().close(Stream::kOut);
  command().close(Stream::kErr);
  command().exit(ExitStatus::lost(leak));
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  EXPECT_EQ(line, leak + "\n");  // The caller's bytes are not changed.
  try {
    process->wait();
    FAIL();
  } catch (const SandboxLostError& error) {
    EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
  }
  backend_->on_exec = [&](const auto&) { throw BackendError(leak); };
  try {
    exec();
    FAIL();
  } catch (const BackendError& error) {
    EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
  }
  EXPECT_EQ(diagnostics_->count("hunter2"), 0);
  EXPECT_EQ(diagnostics_->count("refused ***"), 1);
  for (const std::string& text : texts()) EXPECT_EQ(text.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// The sinks that come with the framework.
#include "sandproof/log_stores.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <thread>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "sandproof-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(LogLevels, HaveNames) {
  EXPECT_EQ(to_string(LogLevel::kDebug), "debug");
  EXPECT_EQ(to_string(LogLevel::kInfo), "info");
  EXPECT_EQ(to_string(LogLevel::kWarning), "warning");
  EXPECT_EQ(to_string(LogLevel::kError), "error");
}

// ---- Memory -------------------------------------------------------------------------------

TEST(MemoryLogStore, KeepsRecordsInOrder) {
  MemoryLogStore store;
  const auto a = store.open_source("a");
  const auto b = store.open_source("b");
  a->log(LogLevel::kInfo, "1");
  b->log(LogLevel::kError, "2 %s {}");
  a->log(LogLevel::kDebug, "");
  EXPECT_THAT(store.records(), ElementsAre(LogRecord{"a", LogLevel::kInfo, "1"},
                                           LogRecord{"b", LogLevel::kError, "2 %s {}"},
                                           LogRecord{"a", LogLevel::kDebug, ""}));
  EXPECT_THAT(store.texts("a"), ElementsAre("1", ""));
  EXPECT_THAT(store.opened(), ElementsAre("a", "b"));
  EXPECT_THAT(store.ended(), IsEmpty());
}

TEST(MemoryLogStore, ShowsWhatComesLateAndTwice) {
  MemoryLogStore store;
  const auto first = store.open_source("a");
  const auto second = store.open_source("a");
  first->end();
  first->log(LogLevel::kInfo, "late");
  second->log(LogLevel::kInfo, "in time");
  first->end();
  EXPECT_THAT(store.opened(), ElementsAre("a", "a"));
  EXPECT_THAT(store.ended(), ElementsAre("a", "a"));
  EXPECT_THAT(store.late(), ElementsAre(LogRecord{"a", LogLevel::kInfo, "late"}));
  EXPECT_THAT(store.texts("a"), ElementsAre("in time"));
}

TEST(MemoryLogStore, ASourceOutlivesItsStore) {
  auto store = std::make_unique<MemoryLogStore>();
  const auto source = store->open_source("a");
  store.reset();
  source->log(LogLevel::kInfo, "x");
  source->end();
}

TEST(MemoryLogStore, TakesManyThreads) {
  MemoryLogStore store;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&store, thread] {
        const auto source = store.open_source(std::to_string(thread));
        for (int line = 0; line < 100; ++line) source->log(LogLevel::kInfo, std::to_string(line));
        source->end();
      });
    }
  }
  EXPECT_EQ(store.records().size(), 800u);
  EXPECT_EQ(store.ended().size(), 8u);
  for (int thread = 0; thread < 8; ++thread) {
    const std::vector<std::string> texts = store.texts(std::to_string(thread));
    ASSERT_EQ(texts.size(), 100u);
    for (std::size_t line = 0; line < 100; ++line) EXPECT_EQ(texts[line], std::to_string(line));
  }
}

TEST(MemoryMetadataSink, KeepsEntriesInOrder) {
  MemoryMetadataSink sink;
  sink.publish("b", "1");
  sink.publish("a", "2");
  sink.publish("b", "3");
  EXPECT_THAT(sink.entries(),
              ElementsAre(std::pair("b"s, "1"s), std::pair("a"s, "2"s), std::pair("b"s, "3"s)));
}

TEST(MemoryDiagnostics, KeepsReportsInOrder) {
  MemoryDiagnostics diagnostics;
  diagnostics.report(LogLevel::kWarning, "one");
  diagnostics.report(LogLevel::kError, "two");
  EXPECT_THAT(diagnostics.records(), ElementsAre(LogRecord{"", LogLevel::kWarning, "one"},
                                                 LogRecord{"", LogLevel::kError, "two"}));
}

// ---- JSON lines ---------------------------------------------------------------------------

TEST(JsonLinesLogStore, WritesOneObjectPerRecord) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "log.jsonl";
  JsonLinesLogStore store(path);
  EXPECT_THAT(lines_of(path), IsEmpty());
  const auto source = store.open_source("sandbox:local-1");
  source->log(LogLevel::kInfo, "two\nlines \"quoted\" {} %s é");
  source->log(LogLevel::kError, "no UTF-8: \xFF|");
  source->end();

  const std::vector<std::string> lines = lines_of(path);
  ASSERT_EQ(lines.size(), 2u);
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first.size(), 4u);
  EXPECT_EQ(first.at("source"), "sandbox:local-1");
  EXPECT_EQ(first.at("level"), "info");
  EXPECT_EQ(first.at("text"), "two\nlines \"quoted\" {} %s é");
  EXPECT_THAT(first.at("time").get<std::string>(),
              testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
                                    "[.][0-9]{3}Z"));
  const auto second = nlohmann::json::parse(lines[1]);
  EXPECT_EQ(second.at("level"), "error");
  EXPECT_EQ(second.at("text"), "no UTF-8: \uFFFD|");
}

TEST(JsonLinesLogStore, AppendsToWhatIsThere) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "log.jsonl";
  for (int round = 0; round < 2; ++round) {
    JsonLinesLogStore store(path);
    JsonLinesLogStore other(path);
    store.open_source("a")->log(LogLevel::kInfo, "x");
    other.open_source("b")->log(LogLevel::kInfo, "y");
  }
  EXPECT_EQ(lines_of(path).size(), 4u);
}

TEST(JsonLinesLogStore, LinesOfManyThreadsStayWhole) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "log.jsonl";
  JsonLinesLogStore store(path);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&store, thread] {
        const auto source = store.open_source("s");
        const std::string text(5000, static_cast<char>('a' + thread));
        for (int line = 0; line < 50; ++line) source->log(LogLevel::kInfo, text);
      });
    }
  }
  const std::vector<std::string> lines = lines_of(path);
  EXPECT_EQ(lines.size(), 200u);
  for (const std::string& line : lines) {
    const std::string text = nlohmann::json::parse(line).at("text");
    EXPECT_EQ(text, std::string(5000, text[0]));
  }
}

TEST(JsonLinesLogStore, RefusesAFileThatCannotBeOpened) {
  const TemporaryDirectory directory;
  EXPECT_THAT(thrown_message<InvalidArgumentError>(
                  [&] { JsonLinesLogStore(directory.path() / "no" / "log.jsonl"); }),
              testing::AllOf(HasSubstr("cannot open the log file"), HasSubstr("no/log.jsonl"),
                             HasSubstr("No such file or directory")));
  EXPECT_THAT(
      thrown_message<InvalidArgumentError>([&] { JsonLinesLogStore store(directory.path()); }),
      HasSubstr("Is a directory"));
}

TEST(JsonLinesLogStore, AFullDiskIsAnError) {
  JsonLinesLogStore store("/dev/full");
  EXPECT_THROW(store.open_source("a")->log(LogLevel::kInfo, "x"), std::system_error);
}

TEST(JsonLinesLogStore, ItsDescriptorIsClosedOnExecAndByTheLastUser) {
  const auto lowest_free = [] {
    const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(descriptor);
    return descriptor;
  };
  const TemporaryDirectory directory;
  const int descriptor = lowest_free();
  auto store = std::make_unique<JsonLinesLogStore>(directory.path() / "log.jsonl");
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), FD_CLOEXEC);
  auto source = store->open_source("a");
  store.reset();
  EXPECT_NO_THROW(source->log(LogLevel::kInfo, "x"));
  source.reset();
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), -1);
}

// ---- spdlog -------------------------------------------------------------------------------

TEST(SpdlogLogStore, LogsTextAndNoFormat) {
  std::ostringstream out;
  const auto logger = std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_st>(out));
  logger->set_pattern("%l|%v");
  SpdlogLogStore store(logger);
  const auto source = store.open_source("sandbox:{}");
  source->log(LogLevel::kInfo, "{} {0} %s %d");
  source->log(LogLevel::kWarning, "w");
  source->log(LogLevel::kError, "e");
  source->log(LogLevel::kDebug, "below the logger's level");
  source->end();
  EXPECT_EQ(out.str(),
            "info|sandbox:{}: {} {0} %s %d\nwarning|sandbox:{}: w\nerror|sandbox:{}: e\n");
}

TEST(SpdlogSinks, GoToStandardErrorByDefault) {
  testing::internal::CaptureStderr();
  SpdlogLogStore().open_source("sandbox:a")->log(LogLevel::kInfo, "{} line");
  spdlog_diagnostics()->report(LogLevel::kWarning, "{} trouble %s");
  spdlog_diagnostics()->report(LogLevel::kDebug, "detail");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("[sandproof] [info] sandbox:a: {} line\n"));
  EXPECT_THAT(text, HasSubstr("[sandproof] [warning] {} trouble %s\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("detail")));
}

}  // namespace
}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// Running the runner's test program (runner_launch.h).
#include "tests/conformance/runner_launch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "conformance/runner/process_tree.h"
#include "conformance/runner/remove_tree.h"
#include "conformance/runner/system.h"
#include "conformance/runner/unique_fd.h"
#include "sandproof/sanitized.h"

namespace sandproof::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
using runner::UniqueFd;

constexpr std::chrono::minutes kEndBound{2};
constexpr std::chrono::minutes kEventBound{1};
constexpr const char* kMarkName = "SANDPROOF_TEST_MARK=";

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path);  // no-cloexec: nothing is started meanwhile
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What people and tests wait for here has no descriptor: looks again after a while.
void pause_for(std::chrono::milliseconds time) {
  ::poll(nullptr, 0, static_cast<int>(time.count()));
}

std::vector<std::string> environment_with(const std::string& mark,
                                          const std::filesystem::path& temporary) {
  std::vector<std::string> words;
  for (char** word = environ; *word != nullptr; ++word) {
    if (!std::string_view(*word).starts_with("TMPDIR=")) words.emplace_back(*word);
  }
  words.push_back(kMarkName + mark);
  words.push_back("TMPDIR=" + temporary.string());
  return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Launch::Launch(const Words& options) {
  std::string path = std::filesystem::temp_directory_path() / "runner-test-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
  directory_ = path;
  mark_ = directory_.filename().string();
  std::filesystem::create_directory(directory_ / "tmp");

  Words words{"runner_fixture", "run", "--finished", (directory_ / "finished").string()};
  words.insert(words.end(), {"--log", (directory_ / "log.jsonl").string()});
  words.insert(words.end(), options.begin(), options.end());
  Words environment = environment_with(mark_, directory_ / "tmp");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  const int flags = O_WRONLY | O_CREAT | O_APPEND;
  ::posix_spawn_file_actions_addopen(&actions, 1, (directory_ / "out").c_str(), flags, 0600);
  ::posix_spawn_file_actions_addopen(&actions, 2, (directory_ / "err").c_str(), flags, 0600);
  const int error = ::posix_spawn(&pid_, RUNNER_FIXTURE, &actions, nullptr, pointers(words).data(),
                                  pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " RUNNER_FIXTURE);
}

Launch::~Launch() {
  if (!status_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  // By pid, and only those with this launch's mark.
  for (int round = 0; round < 100 && !processes().empty(); ++round) {
    for (const MarkedProcess& process : processes()) ::kill(process.pid, SIGKILL);
    pause_for(std::chrono::milliseconds(20));
  }
  runner::remove_tree(directory_);
}

int Launch::wait() {
  if (status_) return *status_;
  const UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  const auto deadline = Clock::now() + kEndBound;
  pollfd polled{fd.get(), POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&polled, 1, runner::poll_timeout(deadline - Clock::now()));
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) {
    ADD_FAILURE() << "the run did not end; its log:\n" << content(directory_ / "log.jsonl");
    ::kill(pid_, SIGKILL);
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
  return status;
}

std::vector<MarkedProcess> Launch::processes() const {
  std::vector<MarkedProcess> found;
  const std::string wanted = kMarkName + mark_;
  for (const runner::ProcessInfo& process : runner::process_table()) {
    if (!process.alive()) continue;
    const std::string environment = content("/proc/" + std::to_string(process.pid) + "/environ");
    if (environment.find(wanted) == std::string::npos) continue;
    found.push_back({process.pid, process.parent, runner::command_line(process.pid)});
  }
  return found;
}

bool Launch::wait_until_gone(std::chrono::milliseconds bound) {
  const auto deadline = Clock::now() + bound;
  while (true) {
    const std::vector<MarkedProcess> left = processes();
    if (left.empty()) return true;
    if (Clock::now() >= deadline) {
      for (const MarkedProcess& process : left) {
        ADD_FAILURE() << "orphan " << process.pid << " of " << process.parent << ": "
                      << process.command;
      }
      return false;
    }
    pause_for(std::chrono::milliseconds(20));
  }
}

bool Launch::wait_for_event(const std::function<bool(const json&)>& wanted) const {
  const auto deadline = Clock::now() + kEventBound;
  while (Clock::now() < deadline) {
    for (const json& event : events()) {
      if (wanted(event)) return true;
    }
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != 0) {
      return false;
    }
    pause_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::vector<json> Launch::events() const {
  std::vector<json> events;
  std::string text = content(directory_ / "log.jsonl");
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  for (const std::string& line : lines_of(text)) {
    json event = json::parse(line, nullptr, false);
    if (!event.is_object() || event.value("seq", -1) != static_cast<int>(events.size())) {
      ADD_FAILURE() << "not the event number " << events.size() << ": " << line;
      return events;
    }
    events.push_back(std::move(event));
  }
  return events;
}

Launch::Words Launch::finished() const { return lines_of(content(directory_ / "finished")); }
std::string Launch::output() const { return content(directory_ / "out"); }
std::string Launch::error_output() const { return content(directory_ / "err"); }

Launch::Words Launch::temporary_files() const {
  Words names;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "tmp")) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

Finished run_fixture(const Launch::Words& options) {
  Launch::Words scaled = options;
  // The limits of the fixture's cases are for a program without sanitizers.
  if (kSanitized && std::ranges::find(options, "--time-scale") == options.end()) {
    scaled.insert(scaled.end(), {"--time-scale", "5"});
  }
  Launch launch(scaled);
  const int status = launch.wait();
  Finished finished;
  EXPECT_TRUE(WIFEXITED(status)) << status << "\n" << launch.error_output();
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  EXPECT_TRUE(launch.wait_until_gone(std::chrono::seconds(10)));
  EXPECT_TRUE(launch.temporary_files().empty()) << launch.temporary_files().front();
  EXPECT_LE(launch.finished().size(), 1u);
  finished.events = launch.events();
  finished.output = launch.output();
  finished.error_output = launch.error_output();
  return finished;
}

std::vector<json> events_of(const std::vector<json>& events, const std::string& name,
                            const std::string& test_case) {
  std::vector<json> found;
  for (const json& event : events) {
    if (event.at("event") != name) continue;
    if (!test_case.empty() && event.value("case", "") != test_case) continue;
    found.push_back(event);
  }
  return found;
}

json end_of(const std::vector<json>& events, const std::string& test_case) {
  std::vector<json> ends;
  for (const char* name : {"case_finished", "case_timeout", "case_crashed"}) {
    for (json& event : events_of(events, name, test_case)) ends.push_back(std::move(event));
  }
  return ends.size() == 1 ? ends[0] : json();
}

}  // namespace sandproof::conformance

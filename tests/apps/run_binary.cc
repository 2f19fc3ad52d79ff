// SPDX-License-Identifier: Apache-2.0
// Running the program; see run_binary.h.
#include "tests/apps/run_binary.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace sandproof::apps {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Ten times what the slowest of these runs takes, on a busy machine with sanitizers.
constexpr std::chrono::seconds kDeadline{60};

void close_once(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// Reads what is there; false at the end.
bool drain(int& fd, std::string& text) {
  std::array<char, 64 * 1024> buffer;  // NOLINT: filled by read()
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  if (count == 0) {
    close_once(fd);
    return false;
  }
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

bool divides_a_run(std::string_view variable) {
  constexpr std::array<std::string_view, 4> kNames = {
      "GTEST_SHARD_INDEX=", "GTEST_TOTAL_SHARDS=", "JOB_COMPLETION_INDEX=", "SANDPROOF_SHARDS="};
  return std::any_of(kNames.begin(), kNames.end(),
                     [variable](std::string_view name) { return variable.starts_with(name); });
}

}  // namespace

RunningBinary::RunningBinary(std::vector<std::string> arguments, std::vector<std::string> variables,
                             std::string program)
    : deadline_(Clock::now() + kDeadline) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  for (auto* ends : {&in, &out, &err}) {
    if (::pipe2(ends->data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  arguments.insert(arguments.begin(), std::move(program));
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!divides_a_run(*variable)) variables.emplace_back(*variable);
  }
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  // A program that does not read its input to the end is no reason for this one to die.
  std::signal(SIGPIPE, SIG_IGN);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error =
      ::posix_spawn(&pid_, argv[0], &actions, &attributes, argv.data(), environment.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  for (const int fd : {in[0], out[1], err[1]}) ::close(fd);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  if (error != 0) throw std::runtime_error(std::string("cannot run ") + argv[0]);
}

RunningBinary::~RunningBinary() {
  for (int* fd : {&in_, &out_, &err_}) close_once(*fd);
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void RunningBinary::write_input(const std::string& text) const {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(in_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    done += static_cast<std::size_t>(count);
  }
}

void RunningBinary::close_input() { close_once(in_); }
void RunningBinary::close_output() { close_once(out_); }
void RunningBinary::signal(int number) const { ::kill(pid_, number); }

bool RunningBinary::read_more() {
  if (out_ < 0 && err_ < 0) return false;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  if (left.count() <= 0) return false;
  std::array<pollfd, 2> entries = {pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
  if (::poll(entries.data(), entries.size(), static_cast<int>(left.count())) <= 0) {
    return errno == EINTR;
  }
  if (entries[0].revents != 0) drain(out_, result_.out);
  if (entries[1].revents != 0) drain(err_, result_.err);
  return true;
}

bool RunningBinary::wait_for_output(const std::string& text) {
  while (result_.out.find(text) == std::string::npos) {
    if (!read_more()) return false;
  }
  return true;
}

BinaryResult RunningBinary::finish() {
  while (read_more()) {
  }
  if (Clock::now() >= deadline_) return result_;  // The destructor kills it.
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  result_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result_;
}

BinaryResult run_binary(std::vector<std::string> arguments, const std::string& input) {
  RunningBinary binary(std::move(arguments));
  // Beside the reading, for inputs that are larger than a pipe.
  std::jthread writer([&binary, &input] {
    binary.write_input(input);
    binary.close_input();
  });
  return binary.finish();
}

BinaryResult run_shell(const std::string& script) {
  const std::string folder = fs::path(SANDPROOF_BIN).parent_path().string();
  RunningBinary shell({"-c", "PATH='" + folder + "':$PATH\n" + script}, {}, "/bin/sh");
  shell.close_input();
  return shell.finish();
}

BinaryResult run_binary_with(std::vector<std::string> variables,
                             std::vector<std::string> arguments) {
  RunningBinary binary(std::move(arguments), std::move(variables));
  binary.close_input();
  return binary.finish();
}

BinaryResult run_broken_flavors(std::vector<std::string> arguments) {
  return RunningBinary(std::move(arguments), {}, BROKEN_FLAVORS_BIN).finish();
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (fs::temp_directory_path() / "sandproof-apps-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryDirectory::file(const std::string& name, const std::string& content) const {
  const fs::path path = path_ / name;
  std::ofstream(path) << content;
  return path.string();
}

std::size_t TemporaryDirectory::entries() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
}

}  // namespace sandproof::apps

// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a person does: arguments, three streams, an exit code. One thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sandproof::apps {

struct BinaryResult {
  /// The exit code, or 128 + the signal; -1 when it did not end in time and was killed.
  int code = -1;
  std::string out;
  std::string err;
};

/// One that is running. Killed and reaped by the destructor if it has not ended.
class RunningBinary {
 public:
  /// `sandproof`, or another program, with these arguments, and with these variables (NAME=VALUE)
  /// besides the test's own; but for those that divide a run, which the test itself may have got.
  /// Its input is a pipe.
  explicit RunningBinary(std::vector<std::string> arguments,
                         std::vector<std::string> variables = {},
                         std::string program = SANDPROOF_BIN);
  ~RunningBinary();
  RunningBinary(const RunningBinary&) = delete;
  RunningBinary& operator=(const RunningBinary&) = delete;

  pid_t pid() const { return pid_; }
  void write_input(const std::string& text) const;
  void close_input();
  void close_output();
  void signal(int number) const;
  /// Reads until its output holds `text`; false at the deadline.
  bool wait_for_output(const std::string& text);
  /// Reads to the end and waits. It has not read its input by then, or somebody closed it.
  BinaryResult finish();

 private:
  bool read_more();

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::chrono::steady_clock::time_point deadline_;
  BinaryResult result_;
};

/// To its end, with this input.
BinaryResult run_binary(std::vector<std::string> arguments, const std::string& input = "");

/// What a person types into a shell: `sh -c script`, where `sandproof` is in the PATH, with an
/// empty input.
BinaryResult run_shell(const std::string& script);

/// Without input, and with these variables.
BinaryResult run_binary_with(std::vector<std::string> variables,
                             std::vector<std::string> arguments);

/// The program over flavors that are broken on purpose (broken_flavors/main.cc).
BinaryResult run_broken_flavors(std::vector<std::string> arguments);

/// For --set: the flavor `local` starts, and none of its commands does.
inline constexpr const char* kNoPrograms = R"(environment={"PATH":"/nonexistent"})";

/// Private and empty; removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file; returns its path.
  std::string file(const std::string& name, const std::string& content) const;
  std::size_t entries() const;

 private:
  std::filesystem::path path_;
};

}  // namespace sandproof::apps

// SPDX-License-Identifier: Apache-2.0
// What the tests of the launcher share: commands in a scratch directory, started without a session.
// One thread, but for run() and spec().
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flavors/local/child.h"
#include "flavors/local/cwd.h"
#include "flavors/local/launcher.h"
#include "flavors/local/pipe.h"
#include "flavors/local/program.h"
#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local::test {

/// What a command wrote, and how it ended.
struct Ran {
  std::string out;
  std::optional<ExitStatus> status;
};

/// Everything of a file, read with blocking calls.
inline std::string read_to_end(int fd) {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = retry_eintr([&] { return ::read(fd, buffer.data(), buffer.size()); });
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Starts commands in a scratch directory. For derivation by test suites.
class LaunchTest : public ::testing::Test {
 protected:
  LaunchSpec spec(std::vector<std::string> argv) {
    return {.argv = std::move(argv),
            .env = {{"PATH", kDefaultPath}},
            .cwd = cwd_.get(),
            .cwd_name = scratch_.path().string(),
            .in = -1,
            .out = null_.get(),
            .err = null_.get()};
  }

  // Starts it with its output in a pipe, and waits for its end.
  static Ran run(LaunchSpec spec) {
    Pipe pipe = make_pipe();
    spec.out = pipe.write_end.get();
    spec.err = pipe.write_end.get();
    Child child(launch(spec));
    pipe.write_end.reset();
    Ran ran;
    ran.out = read_to_end(pipe.read_end.get());
    ran.status = child.wait_until(std::chrono::steady_clock::now() + kPatience);
    return ran;
  }

  Ran run(std::vector<std::string> argv) { return run(spec(std::move(argv))); }

  // The error of a start that must fail.
  static std::pair<LaunchFailure, std::string> failure(const LaunchSpec& spec) {
    try {
      Child child(launch(spec));
    } catch (const ExecError& error) {
      return {error.why(), error.what()};
    }
    ADD_FAILURE() << spec.argv.front() << " was started";
    return {LaunchFailure::kOther, ""};
  }

  std::string script(const std::string& name, const std::string& text, mode_t mode = 0755) {
    const std::filesystem::path path = scratch_ / name;
    write_file(path, text);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path.string();
  }

  ScratchDir scratch_;
  Descriptor cwd_ = open_cwd(AT_FDCWD, scratch_.path().string());
  Descriptor null_{::open("/dev/null", O_WRONLY | O_CLOEXEC)};
};

/// Whether this program has any child, alive or not, that nobody has waited for.
inline bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace sandproof::local::test

// SPDX-License-Identifier: Apache-2.0
// What the tests of the local flavor share. See local_support.h.
#include "tests/flavors/local_support.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <system_error>

#include "flavors/local/tree.h"
#include "flavors/local/workdir.h"
#include "sandproof/flavor.h"
#include "sandproof/flavors/local.h"

namespace sandproof::local::test {
namespace {

using Clock = std::chrono::steady_clock;

// Reads what is there; false at the end of the stream.
bool read_some(ProcessHooks& process, Stream stream, std::string& text) {
  std::array<std::byte, 65536> buffer;
  for (;;) {
    const IoResult result = process.do_read(stream, buffer);
    if (result.state == IoState::kReady) {
      for (std::size_t i = 0; i < result.count; ++i) text += static_cast<char>(buffer[i]);
      continue;
    }
    if (result.state == IoState::kAgain) return true;
    EXPECT_EQ(result.state, IoState::kEnd) << result.error.message();
    return false;
  }
}

}  // namespace

ScratchDir::ScratchDir() {
  std::string name = (std::filesystem::temp_directory_path() / "sandproof-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "mkdtemp");
  }
  // What temporary directories are reached through is none of a test's business.
  path_ = std::filesystem::canonical(name);
}

ScratchDir::~ScratchDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  ASSERT_TRUE(file.flush()) << path;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Finished drive(ProcessHooks& process, std::string_view input) {
  const auto deadline = Clock::now() + kPatience;
  Finished finished;
  bool out = true;
  bool err = true;
  bool in = process.do_descriptor(Channel::kIn) >= 0;
  while (out || err || !finished.status) {
    if (in && input.empty()) {
      process.do_close_input();
      in = false;
    }
    std::array<pollfd, 4> ready{{
        {out ? process.do_descriptor(Channel::kOut) : -1, POLLIN, 0},
        {err ? process.do_descriptor(Channel::kErr) : -1, POLLIN, 0},
        {finished.status ? -1 : process.do_descriptor(Channel::kExit), POLLIN, 0},
        {in ? process.do_descriptor(Channel::kIn) : -1, POLLOUT, 0},
    }};
    const int count = ::poll(ready.data(), ready.size(), milliseconds_until(deadline));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      ADD_FAILURE() << "the command does not end; so far it wrote: " << finished.out
                    << finished.err;
      return finished;
    }
    if (ready[0].revents != 0) out = read_some(process, Stream::kOut, finished.out);
    if (ready[1].revents != 0) err = read_some(process, Stream::kErr, finished.err);
    if (ready[2].revents != 0) finished.status = process.do_poll_exit();
    if (ready[3].revents != 0) {
      const IoResult result = process.do_write(std::as_bytes(std::span(input)));
      if (result.state == IoState::kReady) input.remove_prefix(result.count);
      if (result.state == IoState::kEnd) input = {};
      EXPECT_NE(result.state, IoState::kError) << result.error.message();
    }
  }
  return finished;
}

std::string read_line(ProcessHooks& process) {
  const auto deadline = Clock::now() + kPatience;
  std::string text;
  while (!text.ends_with('\n')) {
    pollfd ready{process.do_descriptor(Channel::kOut), POLLIN, 0};
    const int count = ::poll(&ready, 1, milliseconds_until(deadline));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || !read_some(process, Stream::kOut, text)) {
      if (text.ends_with('\n')) break;
      ADD_FAILURE() << "the command says no line, but: " << text;
      return text;
    }
  }
  text.pop_back();
  return text;
}

std::optional<ExitStatus> wait_exit(ProcessHooks& process, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    if (auto status = process.do_poll_exit()) return status;
    pollfd ready{process.do_descriptor(Channel::kExit), POLLIN, 0};
    const int count = ::poll(&ready, 1, milliseconds_until(deadline));
    if (count == 0) return std::nullopt;
  }
}

void RecordingDiagnostics::report(LogLevel level, std::string_view text) {
  levels.push_back(level);
  texts.emplace_back(text);
}

LocalWorld::LocalWorld() {
  const Flavor flavor = local_flavor();
  settings.set("base_dir", scratch_.path().string());
  sandbox_ = flavor.make_hooks({.component_id = kComponent,
                                .settings = flavor.settings.completed(settings),
                                .ids = system_id_source(),
                                .diagnostics = diagnostics});
}

LocalWorld::~LocalWorld() {
  try {
    terminate_marked(*system_process_table(), MarkPattern::component(kComponent), {}, 0,
                     std::chrono::milliseconds(0));
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

SessionSpec LocalWorld::spec(const std::string& id, Environment env) const {
  const SettingsDescription description = local_flavor().settings;
  return {.id = id,
          .component_id = kComponent,
          .settings = description.completed(description.checked(settings)),
          .env = std::move(env),
          .run_id = {},
          .step_id = {},
          .start_deadline = Clock::now() + kPatience};
}

std::unique_ptr<SessionHooks> LocalWorld::create(const std::string& id, Environment env) {
  return sandbox_->do_create_session(spec(id, std::move(env)));
}

std::filesystem::path LocalWorld::workdir(const std::string& id) const {
  return session_workdir(scratch_.path().string(), id);
}

std::vector<std::string> LocalWorld::living(const std::string& session_id) const {
  std::vector<std::string> commands;
  const auto pattern = MarkPattern::session(kComponent, session_id);
  for (const MarkedProcess& process : list_marked(*system_process_table(), pattern)) {
    if (process.alive) commands.push_back(process.command);
  }
  return commands;
}

ExecRequest request(std::vector<std::string> argv, std::string cwd) {
  return {.argv = std::move(argv),
          .cwd = std::move(cwd),
          .env = {},
          .exec_env = {},
          .wants_input = false,
          .start_deadline = Clock::now() + kPatience};
}

ExecRequest shell(const std::string& script) { return request({"sh", "-c", script}); }

}  // namespace sandproof::local::test

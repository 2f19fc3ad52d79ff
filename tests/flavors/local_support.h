// SPDX-License-Identifier: Apache-2.0
// What the tests of the local flavor share: a directory of their own, a session without the
// framework's cores, and the driving of a command's hooks. One thread per object.
#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flavors/local/mark.h"
#include "flavors/local/process_table.h"
#include "sandproof/hooks.h"
#include "sandproof/step.h"

namespace sandproof::local::test {

/// Generous: reached only by a test that fails.
inline constexpr std::chrono::seconds kPatience{30};

/// An empty directory, removed with the object.
class ScratchDir {
 public:
  ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  ~ScratchDir();
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write_file(const std::filesystem::path& path, std::string_view content);
std::string read_file(const std::filesystem::path& path);

/// Everything that a command said, and how it ended. Fails the test when it does not end in time.
struct Finished {
  std::string out;
  std::string err;
  std::optional<ExitStatus> status;
};

/// Reads both streams to their ends, writes `input` if there is any and closes it, and waits for
/// the exit: as the framework's pump does it.
Finished drive(ProcessHooks& process, std::string_view input = {});

/// Reads stdout until it ends with a newline, and returns it without that: how a command says that
/// it has got somewhere.
std::string read_line(ProcessHooks& process);

/// Waits for the exit alone.
std::optional<ExitStatus> wait_exit(ProcessHooks& process,
                                    std::chrono::milliseconds limit = kPatience);

/// Collects what is reported.
class RecordingDiagnostics : public Diagnostics {
 public:
  void report(LogLevel level, std::string_view text) override;
  std::vector<std::string> texts;
  std::vector<LogLevel> levels;
};

/// One sandbox of the local flavor in a scratch directory.
class LocalWorld {
 public:
  LocalWorld();
  LocalWorld(const LocalWorld&) = delete;
  LocalWorld& operator=(const LocalWorld&) = delete;
  /// Ends what a test that failed has left running.
  ~LocalWorld();

  Settings settings;  ///< Of the sessions that are made from now on.
  std::shared_ptr<RecordingDiagnostics> diagnostics = std::make_shared<RecordingDiagnostics>();

  std::unique_ptr<SessionHooks> create(const std::string& id, Environment env = {});
  SessionSpec spec(const std::string& id, Environment env = {}) const;
  std::filesystem::path workdir(const std::string& id) const;
  /// Live processes of one session, by their marks.
  std::vector<std::string> living(const std::string& session_id) const;
  const std::filesystem::path& base() const { return scratch_.path(); }
  SandboxHooks& sandbox() { return *sandbox_; }

 private:
  ScratchDir scratch_;
  std::unique_ptr<SandboxHooks> sandbox_;
};

/// Of this program alone: several run at once, and must not end each other's commands.
inline const std::string kComponent = "test/component-" + std::to_string(::getpid());

ExecRequest request(std::vector<std::string> argv, std::string cwd = {});
ExecRequest shell(const std::string& script);

}  // namespace sandproof::local::test

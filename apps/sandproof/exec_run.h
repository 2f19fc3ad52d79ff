// SPDX-License-Identifier: Apache-2.0
// Runs one command in a session of its own and lends it this process's standard streams.
//
// Threads: the caller's waits for signals and for the end; a worker makes the session, starts the
// command and waits for it; one thread per output stream copies, and one feeds the input. A signal
// is answered by the caller's thread alone, so that it is answered whatever the others hang in.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sandproof/command.h"
#include "sandproof/flavor.h"

namespace sandproof::apps {

struct ExecPlan {
  Flavor flavor;
  Settings settings;
  /// Empty: the flavor's default.
  std::string component_id;
  std::vector<std::string> words;
  /// Without its input.
  ExecOptions options;
};

/// A descriptor that is readable once it was set. Thread-safe.
class WakeUp {
 public:
  /// Throws std::system_error.
  WakeUp();
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  void set() const noexcept;
  void reset() const noexcept;
  int descriptor() const { return fd_; }

 private:
  int fd_;
};

class ExecRun {
 public:
  explicit ExecRun(ExecPlan plan) : plan_(std::move(plan)) {}

  /// Called once, while the process has one thread. Returns the exit code: the command's, or one of
  /// exec's own, with one line on stderr. Does not return after SIGINT, SIGTERM or SIGHUP: kills
  /// the command, destroys the session and exits with 128 + the signal.
  int run();

 private:
  int perform();
  int run_command(Session& session);
  /// The streams while the command runs; returns its status, or throws what wait() throws.
  ExitStatus wait_with_streams(Process& process, bool with_input);
  /// For a flavor without input: says, once, that there is some which is not passed on.
  void warn_of_input();
  void copy(Process& process, Stream stream, int to);
  void feed(Process& process);
  /// After a signal: does not return if there is a session by now.
  void end_if_possible();
  void note_trouble(std::exception_ptr trouble);
  /// Prints the sentence; returns the code.
  int fail(int code, const std::string& sentence) const;

  ExecPlan plan_;
  /// Written at each change of what follows.
  WakeUp changed_;
  /// Ends the feeding of the input.
  WakeUp input_over_;
  std::mutex mutex_;  ///< Guards the pointers and the trouble.
  std::shared_ptr<Session> session_;
  std::shared_ptr<Process> process_;
  std::exception_ptr trouble_;
  std::atomic<bool> done_ = false;
  std::atomic<bool> interrupted_ = false;
  int signal_ = 0;                ///< Of the caller's thread.
  bool warned_of_input_ = false;  ///< Of the worker.
  /// Nobody reads what the command writes any more.
  std::atomic<bool> unread_ = false;
};

}  // namespace sandproof::apps

// SPDX-License-Identifier: Apache-2.0
// The state of one session, shared by its handle and by calls in progress.
//
// Thread-safe. Its mutex guards the state, the count of calls in progress and the lists; it comes
// before a process's mutex, and is not held while a hook, the log, a process's verb or a caller's
// code runs.
//
// Closing: new calls are refused at once, and what is queued fails; calls in progress are waited
// for (kInFlightBound); then the flavor closes; then the processes learn that they ended, where the
// flavor ended them. A start that comes back even later finds its process killed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "process_core.h"
#include "redaction.h"
#include "sandbox_core.h"
#include "sandproof/hooks.h"
#include "sandproof/session.h"
#include "session_log.h"

namespace sandproof {

struct SessionParts {
  std::string id;
  std::shared_ptr<SandboxCore> sandbox;
  std::shared_ptr<SessionHooks> hooks;
  Settings settings;
  Environment env;
  Redactor redactor;
  std::shared_ptr<SessionLog> log;
};

class SessionCore : public std::enable_shared_from_this<SessionCore> {
 public:
  explicit SessionCore(SessionParts parts);
  ~SessionCore();

  const std::string& id() const { return id_; }
  bool closed() const;
  std::optional<std::string> dashboard_url() const { return dashboard_url_; }
  /// Asks the flavor once, at creation; what it throws counts as "no URL" (META-002).
  void learn_dashboard_url();

  std::shared_ptr<ProcessCore> exec(const Command& command, const ExecOptions& options);
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options);
  void upload_file(const std::filesystem::path& local, const std::string& remote);
  void download_file(const std::string& remote, const std::filesystem::path& local);
  Snapshot create_snapshot();
  void close();
  void destroy();
  /// What a destructor does: bounded, never throws; the error goes to the log and the sandbox.
  void tear_down(bool destroy_it) noexcept;

 private:
  struct Queued;
  class InFlight;

  /// Longer than any start on a healthy backend, shorter than a person's patience. Where
  /// `operation_timeout` is shorter, that.
  static constexpr std::chrono::milliseconds kInFlightBound{10'000};

  ExecRequest make_request(const ExecOptions& options) const;
  std::shared_ptr<ProcessCore> launch(std::vector<std::string> argv, const ExecOptions& options);
  ProcessParts make_parts(const ExecOptions& options);
  void enlist(const std::shared_ptr<ProcessCore>& process);
  void check_options(const ExecOptions& options) const;
  void transfer(const char* verb, Capability capability, const std::function<void()>& call);
  void fail_queued();
  void finish_processes();
  void call_close_hook();
  void log_unconsumed();
  std::vector<std::shared_ptr<ProcessCore>> living_processes();
  std::string here() const { return "session " + id_; }

  const std::string id_;
  const std::shared_ptr<SandboxCore> sandbox_;
  const std::shared_ptr<SessionHooks> hooks_;
  const Settings settings_;
  const Environment env_;
  const Redactor redactor_;
  const std::shared_ptr<SessionLog> log_;
  const std::chrono::milliseconds in_flight_bound_;
  std::optional<std::string> dashboard_url_;
  std::atomic<std::uint64_t> exec_count_{0};
  /// Of processes that are gone.
  const std::shared_ptr<std::atomic<std::uint64_t>> lines_lost_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  /// The flavor's close was called: what starts now, nobody else will end.
  bool closing_hooks_ = false;
  bool close_done_ = false;
  bool destroyed_ = false;
  bool destroying_ = false;
  int in_flight_ = 0;
  std::vector<std::weak_ptr<ProcessCore>> processes_;
  /// Dead entries are swept when this many are reached: at twice what lived last time, so that the
  /// cost of an exec does not grow with how many live.
  std::size_t sweep_at_ = 64;
  std::vector<std::weak_ptr<Queued>> queued_;
};

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// SessionCore: exec, transfers, snapshots. Its end is in session_end.cc.
#include "session_core.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "guarded.h"
#include "handles.h"
#include "report_quietly.h"
#include "sandproof/errors.h"

namespace sandproof {

/// One call in progress on an open session; refuses on a closed one.
class SessionCore::InFlight {
 public:
  explicit InFlight(SessionCore& session) : session_(session) {
    const std::lock_guard lock(session_.mutex_);
    if (session_.closed_) throw SessionClosedError(session_.id_);
    ++session_.in_flight_;
  }
  ~InFlight() {
    const std::lock_guard lock(session_.mutex_);
    if (--session_.in_flight_ == 0) session_.changed_.notify_all();
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  SessionCore& session_;
};

/// A command that waits for a thread of the pool. Whoever claims it settles the promise.
struct SessionCore::Queued {
  std::atomic<bool> claimed{false};
  std::promise<std::unique_ptr<Process>> promise;
};

SessionCore::SessionCore(SessionParts parts)
    : id_(std::move(parts.id)),
      sandbox_(std::move(parts.sandbox)),
      hooks_(std::move(parts.hooks)),
      settings_(std::move(parts.settings)),
      env_(std::move(parts.env)),
      redactor_(std::move(parts.redactor)),
      log_(std::move(parts.log)),
      in_flight_bound_(std::min(kInFlightBound, setting_duration(settings_, "operation_timeout"))) {
}

SessionCore::~SessionCore() = default;

bool SessionCore::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void SessionCore::learn_dashboard_url() {
  try {
    dashboard_url_ = hooks_->do_dashboard_url();
    if (dashboard_url_ && dashboard_url_->empty()) dashboard_url_.reset();
  } catch (...) {
    report_quietly(sandbox_->diagnostics().get(), LogLevel::kDebug, [this] {
      return "no dashboard URL for " + here() + ": " + redactor_.redacted(current_exception_text());
    });
  }
}

void SessionCore::check_options(const ExecOptions& options) const {
  for (const auto& [name, value] : options.env) {
    if (!is_environment_name(name)) {
      throw InvalidArgumentError("exec on " + here() + ": the environment name '" + name +
                                 "' must match [A-Za-z_][A-Za-z0-9_]*");
    }
    if (value.find('\0') != std::string::npos) {
      throw InvalidArgumentError("exec on " + here() + ": the value of the environment variable " +
                                 name + " holds a NUL byte, which no environment can carry");
    }
  }
  if (options.cwd.find('\0') != std::string::npos) {
    throw InvalidArgumentError("exec on " + here() + ": cwd holds a NUL byte");
  }
  if (options.timeout && (options.timeout->count() < 0 || *options.timeout > kLargestTimeout)) {
    throw InvalidArgumentError("exec on " + here() + ": the timeout is " +
                               std::to_string(options.timeout->count()) +
                               " ms; it must be between 0 and 100 years");
  }
}

ExecRequest SessionCore::make_request(const ExecOptions& options) const {
  ExecRequest request;
  request.cwd = options.cwd;
  request.env = env_;
  for (const auto& [name, value] : options.env) request.env[name] = value;
  request.exec_env = options.env;
  request.wants_input = !options.input.is_empty();
  request.start_deadline =
      std::chrono::steady_clock::now() + setting_duration(settings_, "operation_timeout");
  return request;
}

std::shared_ptr<ProcessCore> SessionCore::exec(const Command& command, const ExecOptions& options) {
  const InFlight in_flight(*this);
  std::vector<std::string> argv = command.words();
  check_options(options);
  if (!options.input.is_empty()) sandbox_->require(Capability::kStdin, "exec with stdin");
  log_->command(argv);
  try {
    return launch(std::move(argv), options);
  } catch (const std::exception& error) {
    log_->launch_failed(error.what());
    throw;
  }
}

/// Everything that can fail for want of resources comes before the command is started (EXEC-019).
ProcessParts SessionCore::make_parts(const ExecOptions& options) {
  ProcessParts parts;
  parts.name = "process " + std::to_string(++exec_count_) + " of " + id_;
  try {
    parts.wake = std::make_unique<WakeEvent>();
  } catch (const std::system_error& error) {
    throw ExecError(LaunchFailure::kNoResources,
                    "exec on " + here() + " failed before the start: " + error.what());
  }
  // The hooks of the process may use those of its session, which may use the sandbox's.
  parts.keep_alive =
      std::make_shared<std::pair<std::shared_ptr<SandboxCore>, std::shared_ptr<SessionHooks>>>(
          sandbox_, hooks_);
  parts.poller = sandbox_->poller();
  parts.kill_pool = &sandbox_->kill_pool();
  parts.log = log_;
  parts.diagnostics = sandbox_->diagnostics();
  parts.redactor = redactor_;
  parts.lines_lost = lines_lost_;
  parts.drain_grace = setting_duration(settings_, "drain_grace");
  parts.spill_limit = static_cast<std::uint64_t>(setting<std::int64_t>(settings_, "spill_limit"));
  parts.spill_dir = spill_directory(settings_);
  parts.input = options.input;
  return parts;
}

std::shared_ptr<ProcessCore> SessionCore::launch(std::vector<std::string> argv,
                                                 const ExecOptions& options) {
  ProcessParts parts = make_parts(options);
  ExecRequest request = make_request(options);
  request.argv = std::move(argv);
  const std::string doing = "exec of " + parts.name;
  parts.started = std::chrono::steady_clock::now();
  parts.hooks = guarded(redactor_, doing, [&] { return hooks_->do_exec(request); });
  if (parts.hooks == nullptr) throw BackendError(doing + " failed: the flavor gave no process");
  if (options.timeout) parts.deadline = std::chrono::steady_clock::now() + *options.timeout;
  auto process = std::make_shared<ProcessCore>(std::move(parts));
  process->start();
  enlist(process);
  return process;
}

/// Throws SessionClosedError when close() has given up waiting for the start, and ends the process.
void SessionCore::enlist(const std::shared_ptr<ProcessCore>& process) {
  {
    const std::lock_guard lock(mutex_);
    if (processes_.size() >= sweep_at_) {
      std::erase_if(processes_, [](const auto& weak) { return weak.expired(); });
      sweep_at_ = std::max<std::size_t>(64, 2 * processes_.size());
    }
    processes_.push_back(process);
    if (!closing_hooks_ || sandbox_->has(Capability::kOutlives)) return;
  }
  process->kill();
  process->begin_finish();
  process->finish(std::chrono::steady_clock::now() + ProcessCore::kCloseBound);
  throw SessionClosedError(id_);
}

std::future<std::unique_ptr<Process>> SessionCore::exec_async(Command command,
                                                              ExecOptions options) {
  const InFlight in_flight(*this);
  sandbox_->require(Capability::kAsyncExec, "exec_async");
  auto queued = std::make_shared<Queued>();
  std::future<std::unique_ptr<Process>> future = queued->promise.get_future();
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(queued_, [](const auto& weak) { return weak.expired(); });
    queued_.push_back(queued);
  }
  auto task = [self = shared_from_this(), queued, command = std::move(command),
               options = std::move(options)] {
    if (queued->claimed.exchange(true)) return;
    try {
      // A dropped future drops the handle, which detaches: the command runs on (EXEC-017).
      queued->promise.set_value(make_process_handle(self->exec(command, options)));
    } catch (...) {
      queued->promise.set_exception(std::current_exception());
    }
  };
  try {
    sandbox_->exec_pool().post(std::move(task));
  } catch (const std::system_error& error) {
    throw ExecError(
        LaunchFailure::kNoResources,
        "exec_async on " + here() + " failed before the start: no thread: " + error.what());
  }
  return future;
}

void SessionCore::fail_queued() {
  std::vector<std::weak_ptr<Queued>> queued;
  {
    const std::lock_guard lock(mutex_);
    queued.swap(queued_);
  }
  for (const auto& weak : queued) {
    const std::shared_ptr<Queued> item = weak.lock();
    if (item == nullptr || item->claimed.exchange(true)) continue;
    item->promise.set_exception(std::make_exception_ptr(SessionClosedError(id_)));
  }
}

void SessionCore::transfer(const char* verb, Capability capability,
                           const std::function<void()>& call) {
  const InFlight in_flight(*this);
  sandbox_->require(capability, verb);
  guarded(redactor_, std::string(verb) + " on " + here(), call);
}

void SessionCore::upload_file(const std::filesystem::path& local, const std::string& remote) {
  transfer("upload_file", Capability::kUpload, [&] { hooks_->do_upload_file(local, remote); });
}

void SessionCore::download_file(const std::string& remote, const std::filesystem::path& local) {
  transfer("download_file", Capability::kDownload,
           [&] { hooks_->do_download_file(remote, local); });
}

Snapshot SessionCore::create_snapshot() {
  const InFlight in_flight(*this);
  sandbox_->require(Capability::kSnapshot, "create_snapshot");
  Snapshot snapshot = guarded(redactor_, "create_snapshot on " + here(),
                              [&] { return hooks_->do_create_snapshot(); });
  snapshot.component_id = sandbox_->component_id();
  return snapshot;
}

}  // namespace sandproof

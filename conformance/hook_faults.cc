// SPDX-License-Identifier: Apache-2.0
// See the header of the same name.
#include "sandproof/conformance/hook_faults.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sandproof/errors.h"
#include "sandproof/wrappers.h"

namespace sandproof::conformance {
namespace {

/// Takes one from the count of calls that are to fail.
bool take(std::atomic<int>& count) {
  int left = count.load();
  while (left > 0) {
    if (count.compare_exchange_weak(left, left - 1)) return true;
  }
  return false;
}

class FaultyProcess : public ProcessHookWrapper {
 public:
  FaultyProcess(std::unique_ptr<ProcessHooks> inner, std::shared_ptr<HookFaults> faults)
      : ProcessHookWrapper(std::move(inner)),
        faults_(std::move(faults)),
        left_{faults_->break_out_after.load(), faults_->break_err_after.load()} {}

  int do_descriptor(Channel channel) const noexcept override {
    // Held output would be ready all the time; without a descriptor it is looked at now and then.
    const bool is_output = channel == Channel::kOut || channel == Channel::kErr;
    return is_output && faults_->hold_output ? -1 : inner().do_descriptor(channel);
  }

  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (faults_->hold_output) return IoResult::again();
    std::int64_t& left = left_[static_cast<std::size_t>(stream)];
    if (left == HookFaults::kNever) return inner().do_read(stream, buffer);
    if (left == 0) return IoResult::failed(std::make_error_code(std::errc::connection_reset));
    buffer = buffer.first(std::min(buffer.size(), static_cast<std::size_t>(left)));
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state == IoState::kReady) left -= static_cast<std::int64_t>(result.count);
    return result;
  }

  std::optional<ExitStatus> do_poll_exit() noexcept override {
    std::optional<ExitStatus> status = inner().do_poll_exit();
    if (status && faults_->lose_status) return ExitStatus::lost("injected: status lost");
    return status;
  }

  void do_kill() override {
    if (take(faults_->fail_kill)) throw BackendError("injected: kill refused");
    ++faults_->kills;
    inner().do_kill();
  }

 private:
  const std::shared_ptr<HookFaults> faults_;
  std::int64_t left_[2];  // Read by the leader alone.
};

class FaultySession : public SessionHookWrapper {
 public:
  FaultySession(std::unique_ptr<SessionHooks> inner, std::shared_ptr<HookFaults> faults)
      : SessionHookWrapper(std::move(inner)), faults_(std::move(faults)) {}

  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ++faults_->execs;
    return std::make_unique<FaultyProcess>(inner().do_exec(request), faults_);
  }
  void do_close() override {
    ++faults_->closes;
    inner().do_close();
    if (take(faults_->fail_close)) throw BackendError("injected: close refused");
  }
  void do_destroy() override {
    if (take(faults_->fail_destroy)) throw BackendError("injected: destroy refused");
    ++faults_->destroys;
    inner().do_destroy();
  }
  void do_upload_file(const std::filesystem::path& local, const std::string& remote) override {
    ++faults_->transfers;
    inner().do_upload_file(local, remote);
  }
  void do_download_file(const std::string& remote, const std::filesystem::path& local) override {
    ++faults_->transfers;
    inner().do_download_file(remote, local);
  }
  Snapshot do_create_snapshot() override {
    ++faults_->snapshots;
    return inner().do_create_snapshot();
  }
  std::optional<std::string> do_dashboard_url() override {
    if (faults_->throw_from_dashboard) throw std::runtime_error("injected: no dashboard");
    return inner().do_dashboard_url();
  }

 private:
  const std::shared_ptr<HookFaults> faults_;
};

class FaultySandbox : public SandboxHookWrapper {
 public:
  FaultySandbox(std::unique_ptr<SandboxHooks> inner, std::shared_ptr<HookFaults> faults)
      : SandboxHookWrapper(std::move(inner)), faults_(std::move(faults)) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    ++faults_->creates;
    return wrap(inner().do_create_session(spec));
  }
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    return wrap(inner().do_attach(spec));
  }
  std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot, const Settings& overrides,
                                           const SessionSpec& spec) override {
    return wrap(inner().do_restore(snapshot, overrides, spec));
  }

 private:
  std::unique_ptr<SessionHooks> wrap(std::unique_ptr<SessionHooks> session) {
    return std::make_unique<FaultySession>(std::move(session), faults_);
  }
  const std::shared_ptr<HookFaults> faults_;
};

}  // namespace

std::function<std::unique_ptr<SandboxHooks>(std::unique_ptr<SandboxHooks>)> with_faults(
    std::shared_ptr<HookFaults> faults) {
  return [faults = std::move(faults)](std::unique_ptr<SandboxHooks> hooks) {
    return std::make_unique<FaultySandbox>(std::move(hooks), faults);
  };
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// The handle to a session; see handles.h.
#include <utility>

#include "handles.h"
#include "sandproof/wait_board.h"
#include "session_core.h"

namespace sandproof {
namespace {

class SessionHandle : public Session {
 public:
  SessionHandle(std::shared_ptr<SessionCore> core, OnExit on_exit,
                std::shared_ptr<SandboxCore> sandbox)
      : sandbox_(std::move(sandbox)),
        core_(std::move(core)),
        on_exit_(on_exit),
        name_("session " + core_->id()) {}
  ~SessionHandle() override {
    const WaitScope scope("~Session", name_, Where::current());
    core_->tear_down(on_exit_ == OnExit::kDestroy);
  }

  std::string id() const override { return core_->id(); }
  bool closed() const override { return core_->closed(); }
  std::optional<std::string> dashboard_url() const override { return core_->dashboard_url(); }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    const WaitScope scope("exec", name_, where);
    return make_process_handle(core_->exec(command, options));
  }
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options,
                                                   Where where) override {
    const WaitScope scope("exec_async", name_, where);
    return core_->exec_async(std::move(command), std::move(options));
  }
  void upload_file(const std::filesystem::path& local, const std::string& remote,
                   Where where) override {
    const WaitScope scope("upload_file", name_, where);
    core_->upload_file(local, remote);
  }
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where where) override {
    const WaitScope scope("download_file", name_, where);
    core_->download_file(remote, local);
  }
  Snapshot create_snapshot(Where where) override {
    const WaitScope scope("create_snapshot", name_, where);
    return core_->create_snapshot();
  }
  void close(Where where) override {
    const WaitScope scope("close", name_, where);
    core_->close();
  }
  void destroy(Where where) override {
    const WaitScope scope("destroy", name_, where);
    core_->destroy();
  }

 private:
  const std::shared_ptr<SandboxCore> sandbox_;  // Before core_: let go of last.
  const std::shared_ptr<SessionCore> core_;
  const OnExit on_exit_;
  const std::string name_;
};

}  // namespace

std::unique_ptr<Session> make_session_handle(std::shared_ptr<SessionCore> core, OnExit on_exit,
                                             std::shared_ptr<SandboxCore> sandbox) {
  return std::make_unique<SessionHandle>(std::move(core), on_exit, std::move(sandbox));
}

}  // namespace sandproof

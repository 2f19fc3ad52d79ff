// SPDX-License-Identifier: Apache-2.0
// The handle to a process; see handles.h.
#include <utility>

#include "handles.h"
#include "process_core.h"
#include "sandproof/errors.h"
#include "sandproof/wait_board.h"

namespace sandproof {
namespace {

class CoreLineStream : public LineStream {
 public:
  CoreLineStream(ProcessCore& core, Stream stream) : core_(core), stream_(stream) {}

  bool next(std::string& line, Where where) override {
    const WaitScope scope(stream_ == Stream::kOut ? "out().next" : "err().next", core_.name(),
                          where);
    return core_.next_line(stream_, line);
  }
  std::optional<StreamEnd> end_state() const override { return core_.end_state(stream_); }

 private:
  ProcessCore& core_;
  const Stream stream_;
};

class CoreStdinWriter : public StdinWriter {
 public:
  explicit CoreStdinWriter(ProcessCore& core) : core_(core) {}

  bool write(std::string_view bytes, Where where) override {
    const WaitScope scope("in().write", core_.name(), where);
    return core_.write(bytes);
  }
  void close() override { core_.close_input(); }

 private:
  ProcessCore& core_;
};

class ProcessHandle : public Process {
 public:
  explicit ProcessHandle(std::shared_ptr<ProcessCore> core)
      : core_(std::move(core)),
        out_(*core_, Stream::kOut),
        err_(*core_, Stream::kErr),
        in_(*core_) {}
  ~ProcessHandle() override { core_->detach(); }

  LineStream& out() override { return out_; }
  LineStream& err() override { return err_; }
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    const WaitScope scope("read_some", core_->name(), where);
    return core_->read_some(stream, buffer);
  }
  StdinWriter& in() override {
    if (!core_->has_input_pipe()) {
      throw InvalidArgumentError(core_->name() +
                                 " was started without an input pipe; give exec "
                                 "ExecOptions::input = Stdin::pipe()");
    }
    return in_;
  }
  ExitStatus wait(Where where) override {
    const WaitScope scope("wait", core_->name(), where);
    return core_->wait(std::nullopt);
  }
  ExitStatus wait(std::chrono::milliseconds timeout, Where where) override {
    const WaitScope scope("wait(timeout)", core_->name(), where);
    return core_->wait(timeout);
  }
  std::optional<ExitStatus> exit_status() const override { return core_->exit_status(); }
  void kill(Where where) override {
    const WaitScope scope("kill", core_->name(), where);
    core_->kill();
  }
  Output collect(const CollectOptions& options, Where where) override {
    const WaitScope scope("collect", core_->name(), where);
    return core_->collect(options);
  }

 private:
  const std::shared_ptr<ProcessCore> core_;
  CoreLineStream out_;
  CoreLineStream err_;
  CoreStdinWriter in_;
};

}  // namespace

std::unique_ptr<Process> make_process_handle(std::shared_ptr<ProcessCore> core) {
  return std::make_unique<ProcessHandle>(std::move(core));
}

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// Forwarding decorators over the interfaces and over the hooks: override one method to change one
// thing. Each owns what it wraps. Thread-safe where the wrapped object is.
#pragma once

#include <memory>
#include <utility>

#include "sandproof/hooks.h"
#include "sandproof/sandbox.h"

namespace sandproof {

class ProcessWrapper : public Process {
 public:
  explicit ProcessWrapper(std::unique_ptr<Process> inner) : inner_(std::move(inner)) {}
  LineStream& out() override { return inner_->out(); }
  LineStream& err() override { return inner_->err(); }
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    return inner_->read_some(stream, buffer, where);
  }
  StdinWriter& in() override { return inner_->in(); }
  ExitStatus wait(Where where) override { return inner_->wait(where); }
  ExitStatus wait(std::chrono::milliseconds timeout, Where where) override {
    return inner_->wait(timeout, where);
  }
  std::optional<ExitStatus> exit_status() const override { return inner_->exit_status(); }
  void kill(Where where) override { inner_->kill(where); }
  Output collect(const CollectOptions& options, Where where) override {
    return inner_->collect(options, where);
  }

 protected:
  Process& inner() const { return *inner_; }

 private:
  std::unique_ptr<Process> inner_;
};

class SessionWrapper : public Session {
 public:
  explicit SessionWrapper(std::unique_ptr<Session> inner) : inner_(std::move(inner)) {}
  std::string id() const override { return inner_->id(); }
  bool closed() const override { return inner_->closed(); }
  std::optional<std::string> dashboard_url() const override { return inner_->dashboard_url(); }
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return inner_->exec(std::move(command), std::move(options), where);
  }
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options,
                                                   Where where) override {
    return inner_->exec_async(std::move(command), std::move(options), where);
  }
  void upload_file(const std::filesystem::path& local, const std::string& remote,
                   Where where) override {
    inner_->upload_file(local, remote, where);
  }
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where where) override {
    inner_->download_file(remote, local, where);
  }
  Snapshot create_snapshot(Where where) override { return inner_->create_snapshot(where); }
  void close(Where where) override { inner_->close(where); }
  void destroy(Where where) override { inner_->destroy(where); }

 protected:
  Session& inner() const { return *inner_; }

 private:
  std::unique_ptr<Session> inner_;
};

class SandboxWrapper : public Sandbox {
 public:
  explicit SandboxWrapper(std::unique_ptr<Sandbox> inner) : inner_(std::move(inner)) {}
  std::string flavor() const override { return inner_->flavor(); }
  std::string component_id() const override { return inner_->component_id(); }
  const Capabilities& capabilities() const override { return inner_->capabilities(); }
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return inner_->create_session(overrides, on_exit, where);
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    return inner_->attach(id, where);
  }
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return inner_->restore(snapshot, overrides, on_exit, where);
  }
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    inner_->delete_snapshot(snapshot, where);
  }
  std::exception_ptr last_teardown_error() const override { return inner_->last_teardown_error(); }

 protected:
  Sandbox& inner() const { return *inner_; }

 private:
  std::unique_ptr<Sandbox> inner_;
};

class ProcessHookWrapper : public ProcessHooks {
 public:
  explicit ProcessHookWrapper(std::unique_ptr<ProcessHooks> inner) : inner_(std::move(inner)) {}
  int do_descriptor(Channel channel) const noexcept override {
    return inner_->do_descriptor(channel);
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    return inner_->do_read(stream, buffer);
  }
  std::optional<ExitStatus> do_poll_exit() noexcept override { return inner_->do_poll_exit(); }
  void do_kill() override { inner_->do_kill(); }
  IoResult do_write(std::span<const std::byte> bytes) noexcept override {
    return inner_->do_write(bytes);
  }
  void do_close_input() noexcept override { inner_->do_close_input(); }

 protected:
  ProcessHooks& inner() const { return *inner_; }

 private:
  std::unique_ptr<ProcessHooks> inner_;
};

class SessionHookWrapper : public SessionHooks {
 public:
  explicit SessionHookWrapper(std::unique_ptr<SessionHooks> inner) : inner_(std::move(inner)) {}
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    return inner_->do_exec(request);
  }
  void do_close() override { inner_->do_close(); }
  void do_destroy() override { inner_->do_destroy(); }
  void do_upload_file(const std::filesystem::path& local, const std::string& remote) override {
    inner_->do_upload_file(local, remote);
  }
  void do_download_file(const std::string& remote, const std::filesystem::path& local) override {
    inner_->do_download_file(remote, local);
  }
  Snapshot do_create_snapshot() override { return inner_->do_create_snapshot(); }
  std::optional<std::string> do_dashboard_url() override { return inner_->do_dashboard_url(); }

 protected:
  SessionHooks& inner() const { return *inner_; }

 private:
  std::unique_ptr<SessionHooks> inner_;
};

class SandboxHookWrapper : public SandboxHooks {
 public:
  explicit SandboxHookWrapper(std::unique_ptr<SandboxHooks> inner) : inner_(std::move(inner)) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    return inner_->do_create_session(spec);
  }
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    return inner_->do_attach(spec);
  }
  std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot, const Settings& overrides,
                                           const SessionSpec& spec) override {
    return inner_->do_restore(snapshot, overrides, spec);
  }
  void do_delete_snapshot(const Snapshot& snapshot) override {
    inner_->do_delete_snapshot(snapshot);
  }

 protected:
  SandboxHooks& inner() const { return *inner_; }

 private:
  std::unique_ptr<SandboxHooks> inner_;
};

}  // namespace sandproof

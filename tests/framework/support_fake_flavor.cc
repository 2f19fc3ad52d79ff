// SPDX-License-Identifier: Apache-2.0
// See support_fake_flavor.h.
#include "tests/framework/support_fake_flavor.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace sandproof {

class FakeSessionHooks : public SessionHooks {
 public:
  explicit FakeSessionHooks(std::shared_ptr<FakeBackend> backend) : backend_(std::move(backend)) {
    backend_->add(backend_->sessions_alive_);
  }
  ~FakeSessionHooks() override { backend_->add(backend_->sessions_alive_, -1); }

  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    auto command = std::make_shared<FakeCommand>(request);
    auto hooks = std::make_unique<FakeProcessHooks>(command);
    if (backend_->on_exec) backend_->on_exec(command);
    {
      const std::lock_guard lock(mutex_);
      commands_.push_back(command);
    }
    const std::lock_guard lock(backend_->mutex_);
    backend_->commands_.push_back(std::move(command));
    ++backend_->execs_;
    backend_->changed_.notify_all();
    return hooks;
  }

  void do_close() override {
    backend_->add(backend_->closes_);
    if (backend_->on_close) {
      backend_->on_close();
      return;
    }
    const std::lock_guard lock(mutex_);
    for (const auto& command : commands_) command->die(ExitStatus::signaled(SIGTERM));
  }

  void do_destroy() override {
    backend_->add(backend_->destroys_);
    if (backend_->on_destroy) backend_->on_destroy();
  }

  void do_upload_file(const std::filesystem::path& /*local*/,
                      const std::string& /*remote*/) override {
    if (backend_->on_transfer) backend_->on_transfer();
  }
  void do_download_file(const std::string& /*remote*/,
                        const std::filesystem::path& /*local*/) override {
    if (backend_->on_transfer) backend_->on_transfer();
  }
  Snapshot do_create_snapshot() override { return {"", "snapshot-1", {}}; }
  std::optional<std::string> do_dashboard_url() override {
    return backend_->on_dashboard_url ? backend_->on_dashboard_url() : std::nullopt;
  }

 private:
  const std::shared_ptr<FakeBackend> backend_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<FakeCommand>> commands_;
};

class FakeSandboxHooks : public SandboxHooks {
 public:
  explicit FakeSandboxHooks(std::shared_ptr<FakeBackend> backend) : backend_(std::move(backend)) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    if (backend_->on_create) backend_->on_create(spec);
    backend_->add(backend_->creates_);
    return std::make_unique<FakeSessionHooks>(backend_);
  }
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    return do_create_session(spec);
  }
  std::unique_ptr<SessionHooks> do_restore(const Snapshot& /*snapshot*/,
                                           const Settings& /*overrides*/,
                                           const SessionSpec& spec) override {
    return do_create_session(spec);
  }
  void do_delete_snapshot(const Snapshot& /*snapshot*/) override {}

 private:
  const std::shared_ptr<FakeBackend> backend_;
};

int FakeBackend::count(const int& counter) const {
  const std::lock_guard lock(mutex_);
  return counter;
}

void FakeBackend::add(int& counter, int by) {
  const std::lock_guard lock(mutex_);
  counter += by;
  changed_.notify_all();
}

FakeBackend::CommandPtr FakeBackend::last() const {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [this] { return !commands_.empty(); })) {
    throw std::logic_error("no command was started");
  }
  return commands_.back();
}

std::vector<FakeBackend::CommandPtr> FakeBackend::all() const {
  const std::lock_guard lock(mutex_);
  return commands_;
}

bool FakeBackend::wait_for_execs(int at_least) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return execs_ >= at_least; });
}

bool FakeBackend::wait_for_no_sessions() const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [this] { return sessions_alive_ == 0; });
}

Flavor FakeBackend::flavor(std::shared_ptr<FakeBackend> backend, Capabilities capabilities) {
  Flavor flavor;
  flavor.name = "fake";
  flavor.documentation_url = "docs/fake.md";
  flavor.capabilities = capabilities;
  flavor.make_hooks = [backend = std::move(backend)](const ComponentContext&) {
    return std::make_unique<FakeSandboxHooks>(backend);
  };
  return flavor;
}

void FakeDiagnostics::report(LogLevel /*level*/, std::string_view text) {
  const std::lock_guard lock(mutex_);
  texts_.emplace_back(text);
  changed_.notify_all();
}

bool FakeDiagnostics::wait_for(std::string_view part) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] {
    return std::ranges::any_of(texts_,
                               [&](const auto& t) { return t.find(part) != std::string::npos; });
  });
}

int FakeDiagnostics::count(std::string_view part) const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::ranges::count_if(
      texts_, [&](const auto& t) { return t.find(part) != std::string::npos; }));
}

FakeFlavorTest::FakeFlavorTest() {
  // A flavor writes with MSG_NOSIGNAL or over sockets; the fake one writes to pipes.
  std::signal(SIGPIPE, SIG_IGN);
  options_.diagnostics = diagnostics_;
}

Sandbox& FakeFlavorTest::sandbox() {
  if (sandbox_ == nullptr) {
    options_.settings = settings_;
    if (in_step_) {
      options_.current_step = [logs = logs_, metadata = metadata_] {
        return StepContext{"run", "step", logs, metadata, std::nullopt};
      };
    }
    sandbox_ = make_sandbox(FakeBackend::flavor(backend_, capabilities_), options_);
  }
  return *sandbox_;
}

Session& FakeFlavorTest::session() {
  if (session_ == nullptr) session_ = sandbox().create_session();
  return *session_;
}

std::unique_ptr<Process> FakeFlavorTest::exec(ExecOptions options) {
  return session().exec({"command"}, std::move(options));
}

ExecOptions with_timeout(std::chrono::milliseconds timeout) {
  ExecOptions options;
  options.timeout = timeout;
  return options;
}

ExecOptions with_input(Stdin input) {
  ExecOptions options;
  options.input = std::move(input);
  return options;
}

std::vector<std::string> all_lines(LineStream& stream) {
  std::vector<std::string> lines;
  for (const std::string& line : stream) lines.push_back(line);
  return lines;
}

std::string all_bytes(Process& process, Stream stream, std::size_t piece) {
  std::string all;
  std::string buffer(piece, '\0');
  for (;;) {
    const std::size_t count = process.read_some(stream, std::as_writable_bytes(std::span(buffer)));
    if (count == 0) return all;
    all.append(buffer, 0, count);
  }
}

std::string numbered_lines(std::size_t size) {
  std::string text;
  text.reserve(size + 64);
  for (std::size_t i = 0; text.size() < size; ++i) {
    text += std::to_string(i) + " abcdefghijklmnopqrstuvwxyz 0123456789\n";
  }
  return text;
}

}  // namespace sandproof

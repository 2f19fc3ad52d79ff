// SPDX-License-Identifier: Apache-2.0
// The toy flavor (toy_flavor.h). Its environments are the one piece of state, under a mutex.
#include "tests/conformance/runner_fixture/toy_flavor.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "conformance/runner/unique_fd.h"
#include "sandproof/errors.h"

namespace sandproof::conformance::fixture {
namespace {

using runner::UniqueFd;

struct Environments {
  std::mutex mutex;
  std::set<std::pair<std::string, std::string>> alive;  // component, session
};

Environments& environments() {
  static Environments all;
  return all;
}

std::atomic<bool> stuck_in_create{false};

[[noreturn]] void stand_still() {
  for (;;) ::pause();
}

class ToyProcess : public ProcessHooks {
 public:
  ToyProcess(const std::string& output, int code, bool hangs, bool stuck = false)
      : stuck_(stuck), exit_(::eventfd(hangs ? 0 : 1, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!hangs) status_ = ExitStatus::exited(code).code();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw std::system_error(errno, std::system_category(), "pipe2");
    }
    out_.reset(ends[0]);
    UniqueFd write(ends[1]);
    if (::write(write.get(), output.data(), output.size()) < 0) write.reset();
    // A command that runs holds its output open.
    if (hangs) writer_ = std::move(write);
  }

  int do_descriptor(Channel channel) const noexcept override {
    if (channel == Channel::kOut) return out_.get();
    return channel == Channel::kExit ? exit_.get() : -1;
  }

  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (stream == Stream::kErr) return IoResult::end();
    if (stuck_) stand_still();
    const ssize_t count = ::read(out_.get(), buffer.data(), buffer.size());
    if (count > 0) return IoResult::ready(static_cast<std::size_t>(count));
    return count < 0 && errno == EAGAIN ? IoResult::again() : IoResult::end();
  }

  std::optional<ExitStatus> do_poll_exit() noexcept override {
    const int status = status_;
    if (status < 0) return std::nullopt;
    return status > 255 ? ExitStatus::signaled(status - 256) : ExitStatus::exited(status);
  }

  void do_kill() override {
    int running = -1;
    if (!status_.compare_exchange_strong(running, 256 + 9)) return;
    writer_.reset();
    ::eventfd_write(exit_.get(), 1);
  }

 private:
  const bool stuck_;
  UniqueFd out_;
  UniqueFd writer_;
  UniqueFd exit_;
  std::atomic<int> status_{-1};
};

class ToySession : public SessionHooks {
 public:
  ToySession(std::string component, std::string id, bool outlives)
      : key_(std::move(component), std::move(id)), outlives_(outlives) {}

  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    const std::string& program = request.argv[0];
    if (program == "stuck-in-exec") stand_still();
    if (program == "stuck-in-close") stuck_in_close_ = true;
    if (program == "stuck-in-read") return std::make_unique<ToyProcess>("login:\n", 0, false, true);
    const std::string word = request.argv.size() > 1 ? request.argv[1] : "";
    const bool known = program == "echo" || program == "hang";
    return std::make_unique<ToyProcess>(known ? word + "\n" : "", known ? 0 : 1, program == "hang");
  }
  void do_close() override {
    if (stuck_in_close_) stand_still();
    if (!outlives_) do_destroy();
  }
  void do_destroy() override {
    const std::lock_guard lock(environments().mutex);
    environments().alive.erase(key_);
  }

 private:
  std::pair<std::string, std::string> key_;
  bool outlives_;
  std::atomic<bool> stuck_in_close_{false};
};

class ToySandbox : public SandboxHooks {
 public:
  ToySandbox(std::string component, bool outlives)
      : component_(std::move(component)), outlives_(outlives) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    if (stuck_in_create) stand_still();
    const std::lock_guard lock(environments().mutex);
    environments().alive.emplace(component_, spec.id);
    return session(spec.id);
  }
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    const std::lock_guard lock(environments().mutex);
    if (!environments().alive.contains({component_, spec.id})) {
      throw NotFoundError("there is no session " + spec.id);
    }
    return session(spec.id);
  }

 private:
  std::unique_ptr<SessionHooks> session(const std::string& id) const {
    return std::make_unique<ToySession>(component_, id, outlives_);
  }
  std::string component_;
  bool outlives_;
};

}  // namespace

Flavor toy_flavor(const std::string& name, Capabilities claims) {
  Flavor flavor;
  flavor.name = name;
  flavor.capabilities = claims;
  const bool outlives = claims.has(Capability::kOutlives);
  flavor.make_hooks = [outlives](const ComponentContext& context) {
    return std::make_unique<ToySandbox>(context.component_id, outlives);
  };
  return flavor;
}

void stick_in_create() { stuck_in_create = true; }

std::vector<std::string> toy_census(const std::string& component) {
  const std::lock_guard lock(environments().mutex);
  std::vector<std::string> left;
  for (const auto& [owner, name] : environments().alive) {
    if (owner == component) left.push_back("environment " + name);
  }
  return left;
}

void toy_leak(const std::string& component, const std::string& name) {
  const std::lock_guard lock(environments().mutex);
  environments().alive.emplace(component, "leak:" + name);
}

}  // namespace sandproof::conformance::fixture

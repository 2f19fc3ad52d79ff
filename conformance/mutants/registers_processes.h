// SPDX-License-Identifier: Apache-2.0
// A session that knows the processes which it started and the calls that are blocked in them; for
// mutants that do something to either. Any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "conformance/mutants/support.h"

namespace sandproof::conformance {

/// The processes of one session that somebody holds, and the calls that are inside them.
struct Registry {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<Process*> processes;
  int inside = 0;
};

/// Tells the registry of itself, and of the calls that may block.
class Registered : public ProcessWrapper {
 public:
  Registered(std::unique_ptr<Process> process, std::shared_ptr<Registry> registry)
      : ProcessWrapper(std::move(process)), registry_(std::move(registry)) {
    const std::lock_guard lock(registry_->mutex);
    registry_->processes.insert(&inner());
  }
  ~Registered() override {
    const std::lock_guard lock(registry_->mutex);
    registry_->processes.erase(&inner());
  }
  LineStream& out() override { return out_; }
  ExitStatus wait(Where where) override {
    const Inside inside(*registry_);
    return inner().wait(where);
  }
  Output collect(const CollectOptions& options, Where where) override {
    const Inside inside(*registry_);
    return inner().collect(options, where);
  }

 private:
  class Inside {
   public:
    explicit Inside(Registry& registry) : registry_(registry) { add(1); }
    ~Inside() { add(-1); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    void add(int count) {
      const std::lock_guard lock(registry_.mutex);
      registry_.inside += count;
      registry_.changed.notify_all();
    }
    Registry& registry_;
  };

  const std::shared_ptr<Registry> registry_;
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      const Inside inside(*registry_);
                      return healthy.next(line, where);
                    }};
};

class RegistersProcesses : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    return std::make_unique<Registered>(inner().exec(std::move(command), std::move(options), where),
                                        registry_);
  }

 protected:
  Registry& registry() { return *registry_; }

 private:
  const std::shared_ptr<Registry> registry_ = std::make_shared<Registry>();
};

}  // namespace sandproof::conformance

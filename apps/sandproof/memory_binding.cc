// SPDX-License-Identifier: Apache-2.0
// The flavor `memory` bound to the suite, and a probe that looks into the machine past the flavor.
#include "apps/sandproof/memory_binding.h"

#include <unistd.h>

#include <array>
#include <utility>

#include "flavors/memory/memory_flavor.h"

namespace sandproof::apps {
namespace {

using conformance::Need;
using conformance::ProcessEntry;

/// The thread rules of Probe.
class MemoryProbe : public conformance::Probe {
 public:
  explicit MemoryProbe(std::shared_ptr<memory::World> world) : world_(std::move(world)) {}

  /// Without the init of the environment, which no command made.
  std::vector<ProcessEntry> processes(const std::string& session_id) override {
    std::vector<ProcessEntry> entries;
    for (const machine::ProcessInfo& process : world_->processes(session_id)) {
      if (process.pid == machine::Box::kInitPid) continue;
      std::string command;
      for (const std::string& word : process.argv) command += (command.empty() ? "" : " ") + word;
      entries.push_back({.pid = process.pid,
                         .parent = process.parent,
                         .alive = process.state != 'Z',
                         .command = std::move(command)});
    }
    return entries;
  }

  std::vector<std::string> census(const std::string& component_id) override {
    return world_->census(component_id);
  }

  // The name of an environment is that of its session.
  std::vector<std::string> identity_command() override { return {"cat", "/etc/hostname"}; }
  std::string harness_identity() override {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
  }

 private:
  std::shared_ptr<memory::World> world_;
};

class MemoryFaults : public conformance::FaultInjector {
 public:
  explicit MemoryFaults(std::shared_ptr<memory::World> world) : world_(std::move(world)) {}

  void fail_next_start() override { world_->fail_next_start(); }
  void stop_environment(const std::string& session_id) override { world_->stop(session_id); }

 private:
  std::shared_ptr<memory::World> world_;
};

}  // namespace

conformance::Binding memory_binding(std::span<const machine::ProgramRow> programs) {
  // One machine for all that the binding makes: components with one id are one component.
  const auto world = std::make_shared<memory::World>(programs);
  conformance::Binding binding;
  binding.flavor = memory::memory_flavor(world);
  binding.unclaimed = {
      {Capability::kCrossProcess, "environments are in the memory of the program that made them"},
      {Capability::kDashboardUrl, "nothing shows environments in memory on a page"},
  };
  binding.provides = {
      Need::kProcessTable,         Need::kLeakCensus,     Need::kIdentity,      Need::kFailingStart,
      Need::kStoppableEnvironment, Need::kReportsSignals, Need::kSmallPidSpace, Need::kQuota};
  binding.not_provided = {
      {Need::kFaults, "nothing is between the flavor and the machine that could misbehave"},
      {Need::kReadOnlyRoot, "the root of the default image can be written"},
      {Need::kUnprivilegedUser, "commands run as root of their environment in the default image"},
      {Need::kImages, "images are made, not pulled"},
      {Need::kNoIsolation, "an environment has files of its own"},
      {Need::kHostileArchive, "files are copied; there are no archives"},
  };
  binding.base_settings = [](const std::filesystem::path&) {
    // Small enough to be filled by a case, large enough for every other one.
    return Settings().set("processes", std::int64_t{160});
  };
  binding.make_probe = [world](const Settings&) { return std::make_unique<MemoryProbe>(world); };
  binding.make_faults = [world](const Settings&) { return std::make_unique<MemoryFaults>(world); };
  return binding;
}

}  // namespace sandproof::apps

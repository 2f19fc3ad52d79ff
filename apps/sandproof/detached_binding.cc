// SPDX-License-Identifier: Apache-2.0
// The test-only flavor `detached` bound to the suite: it claims every capability, and its
// environments can be stopped and made to fail.
#include <filesystem>

#include "apps/sandproof/flavor_table.h"
#include "apps/sandproof/host_preconditions.h"
#include "apps/sandproof/marked_processes.h"
#include "tests/support/detached_flavor.h"
#include "tests/support/detached_store.h"

namespace sandproof::apps {
namespace {

namespace fs = std::filesystem;
using conformance::Need;
using conformance::ProcessEntry;

std::string base_directory_of(const Settings& settings) {
  const SettingValue* const base_dir = settings.find("base_dir");
  return base_dir == nullptr ? std::string() : std::get<std::string>(*base_dir);
}

/// Reads the store of the flavor; the thread rules of Probe.
class DetachedProbe : public conformance::Probe {
 public:
  explicit DetachedProbe(const fs::path& base) : store_(base) {}

  std::vector<ProcessEntry> processes(const std::string& session_id) override {
    return marked_processes(
        [&session_id](const local::Mark& mark) { return mark.session == session_id; });
  }

  std::vector<std::string> census(const std::string& component_id) override {
    constexpr std::string_view kSnapshot = ".snapshot-";
    std::vector<std::string> lines = process_lines(component_id);
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(store_.base(), gone)) {
      const std::string name = entry.path().filename().string();
      const bool snapshot = name.starts_with(kSnapshot);
      const auto meta =
          snapshot ? store_.find_snapshot(name.substr(kSnapshot.size())) : store_.find(name);
      // Of what is half made or half removed the owner is not known: it counts for everybody.
      const bool half = name.starts_with(".new-") || name.starts_with(".gone-");
      if (half || (meta && meta->component_id == component_id)) {
        lines.push_back("directory " + name);
      }
    }
    return lines;
  }

  std::vector<std::string> identity_command() override { return {"pwd"}; }
  std::string harness_identity() override { return fs::current_path().string(); }
  std::string host_path(const std::string& session_id) override {
    return store_.root(session_id).string();
  }

 private:
  detached::Store store_;
};

class DetachedFaults : public conformance::FaultInjector {
 public:
  explicit DetachedFaults(const std::string& base) : store_(base), base_(base) {}

  void fail_next_start() override { store_.fail_next_start(); }
  void stop_environment(const std::string& session_id) override {
    const auto meta = store_.find(session_id);
    detached::stop_environment(base_, meta ? meta->component_id : std::string(), session_id);
  }

 private:
  detached::Store store_;
  std::string base_;
};

}  // namespace

conformance::Binding detached_binding() {
  conformance::Binding binding;
  binding.flavor = detached::detached_flavor();
  binding.test_only = true;
  binding.provides = {Need::kProcessTable,  Need::kLeakCensus,   Need::kIdentity,
                      Need::kNoIsolation,   Need::kFailingStart, Need::kStoppableEnvironment,
                      Need::kReportsSignals};
  binding.not_provided = {
      {Need::kFaults, "real processes of this machine do not misbehave on demand"},
      {Need::kSmallPidSpace, "pids are those of the whole machine"},
      {Need::kQuota, "nothing limits the files of an environment"},
      {Need::kReadOnlyRoot, "the root is the machine's own"},
      {Need::kUnprivilegedUser, "commands run as the user of the harness"},
      {Need::kImages, "environments are directories; there are no images"},
      {Need::kHostileArchive, "files are copied; there are no archives"},
  };
  binding.preconditions = host_preconditions();
  binding.preconditions.push_back(directory_precondition("base_dir"));
  binding.directory_settings = {"base_dir"};
  binding.base_settings = [](const fs::path& scratch) {
    return Settings().set("base_dir", scratch.string());
  };
  binding.make_probe = [](const Settings& settings) {
    return std::make_unique<DetachedProbe>(base_directory_of(settings));
  };
  binding.make_faults = [](const Settings& settings) {
    return std::make_unique<DetachedFaults>(base_directory_of(settings));
  };
  return binding;
}

}  // namespace sandproof::apps

// SPDX-License-Identifier: Apache-2.0
// The flavor `local` bound to the suite: what it claims and why not the rest, and a probe that
// reads /proc and the directories of the sessions.
#include <unistd.h>

#include <filesystem>

#include "apps/sandproof/flavor_table.h"
#include "apps/sandproof/host_preconditions.h"
#include "apps/sandproof/marked_processes.h"
#include "flavors/local/workdir.h"
#include "sandproof/flavors/local.h"

namespace sandproof::apps {
namespace {

using conformance::Need;
using conformance::ProcessEntry;

/// Stateless but for the base directory; the thread rules of Probe.
class LocalProbe : public conformance::Probe {
 public:
  explicit LocalProbe(std::string base_dir) : base_dir_(std::move(base_dir)) {}

  std::vector<ProcessEntry> processes(const std::string& session_id) override {
    return marked_processes(
        [&session_id](const local::Mark& mark) { return mark.session == session_id; });
  }

  /// Directories are named by their session alone, so all under the base directory count: the
  /// suite gives each case a base directory of its own.
  std::vector<std::string> census(const std::string& component_id) override {
    std::vector<std::string> lines = process_lines(component_id);
    std::error_code gone;
    for (const auto& entry :
         std::filesystem::directory_iterator(local::base_directory(base_dir_), gone)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("sandproof-local-")) lines.push_back("directory " + name);
    }
    return lines;
  }

  std::vector<std::string> identity_command() override { return {"pwd"}; }
  std::string harness_identity() override { return std::filesystem::current_path().string(); }
  std::string host_path(const std::string& session_id) override {
    return local::session_workdir(base_dir_, session_id).string();
  }

 private:
  std::string base_dir_;
};

void describe_needs(conformance::Binding& binding) {
  binding.provides = {Need::kProcessTable, Need::kLeakCensus, Need::kIdentity, Need::kNoIsolation,
                      Need::kReportsSignals};
  binding.not_provided = {
      {Need::kFaults, "real processes of this machine do not misbehave on demand"},
      {Need::kFailingStart, "a directory that was made is all that a start consists of"},
      {Need::kSmallPidSpace, "pids are those of the whole machine"},
      {Need::kQuota, "nothing limits the files of a session"},
      {Need::kReadOnlyRoot, "the root is the machine's own"},
      {Need::kImages, "environments are directories; there are no images"},
      {Need::kHostileArchive, "files are copied; there are no archives"},
      {Need::kStoppableEnvironment, "a directory can only be there or not"},
  };
  if (::geteuid() == 0) {
    binding.not_provided[Need::kUnprivilegedUser] =
        "commands run as the user of the harness, which is root here";
  } else {
    binding.provides.insert(Need::kUnprivilegedUser);
  }
}

}  // namespace

conformance::Binding local_binding() {
  conformance::Binding binding;
  binding.flavor = local::local_flavor();
  binding.unclaimed = {
      {Capability::kAttach, "a session ends with its handle, so there is nothing to attach to"},
      {Capability::kOutlives, "closing a session ends its processes and removes its directory"},
      {Capability::kCrossProcess, "a session belongs to the process that made it"},
      {Capability::kSnapshot, "commands write anywhere on the machine, which cannot be captured"},
      {Capability::kRestore, "there are no snapshots"},
      {Capability::kDashboardUrl, "nothing shows local processes on a page"},
  };
  describe_needs(binding);
  binding.preconditions = host_preconditions();
  binding.preconditions.push_back(directory_precondition("base_dir"));
  binding.directory_settings = {"base_dir"};
  binding.base_settings = [](const std::filesystem::path& scratch) {
    // Half a second of grace: the suite has commands that ignore TERM, and need not wait for it.
    return Settings().set("base_dir", scratch.string()).set("close_grace", 0.5);
  };
  binding.make_probe = [](const Settings& settings) {
    const SettingValue* const base_dir = settings.find("base_dir");
    return std::make_unique<LocalProbe>(base_dir == nullptr ? std::string()
                                                            : std::get<std::string>(*base_dir));
  };
  return binding;
}

}  // namespace sandproof::apps

// SPDX-License-Identifier: Apache-2.0
// A case's surroundings, made and taken down (harness_context.h).
#include "conformance/runner/harness_context.h"

#include <sys/stat.h>

#include <stdexcept>
#include <utility>

#include "conformance/runner/elsewhere.h"
#include "conformance/runner/remove_tree.h"
#include "conformance/runner/run.h"
#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "sandproof/id_source.h"

namespace sandproof::conformance::runner {
namespace {

// CONTRACT.md's "bounded": the defaults of operation_timeout and drain_grace, and the slack.
constexpr std::chrono::milliseconds kOperationTimeout{30'000};
constexpr std::chrono::milliseconds kDrainGrace{1'000};
constexpr std::chrono::milliseconds kSlack{2'000};

// A component's name in an id: lowercase letters, digits and '-', so that a backend takes it as a
// label or a name.
std::string label_of(const std::string& name) {
  std::string label;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool upper = c >= 'A' && c <= 'Z';
    label += plain ? c : upper ? static_cast<char>(c - 'A' + 'a') : '-';
  }
  return label;
}

std::filesystem::path made_directory(std::filesystem::path path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    throw RunnerError("cannot make the directory " + path.string() + ": " + error.message());
  return path;
}

}  // namespace

HarnessContext::HarnessContext(const ContextParts& parts, std::filesystem::path directory,
                               std::uint64_t seed)
    : parts_(parts),
      directory_(made_directory(std::move(directory))),
      scratch_(made_directory(directory_ / "scratch")),
      backend_(made_directory(directory_ / "env")),
      component_("case-" + system_id_source()->hex(12)),
      random_(seed) {
  confine_directories();
  if (parts_.mutant != nullptr) {
    trigger_ =
        std::make_shared<Trigger>(parts_.block->fired, parts_.mutant->first, parts_.mutant->times);
  }
}

HarnessContext::~HarnessContext() = default;

void HarnessContext::confine_directories() {
  for (const std::string& name : parts_.binding->directory_settings) {
    const SettingValue* const value = parts_.config.find(name);
    const std::string* const named = value == nullptr ? nullptr : std::get_if<std::string>(value);
    if (named == nullptr || named->empty()) continue;
    const std::filesystem::path own =
        std::filesystem::absolute(*named) / ("sandproof-" + component_);
    constexpr mode_t kOwnersDirectory = 0700;
    // Where it cannot be made the flavor says so, in its own words.
    if (::mkdir(own.c_str(), kOwnersDirectory) != 0) continue;
    parts_.config.set(name, own.string());
    confined_.push_back(own);
  }
}

Settings HarnessContext::base_settings() const {
  Settings base;
  if (parts_.binding->base_settings) base = parts_.binding->base_settings(backend_);
  return base.overlaid_with(parts_.config);
}

std::string HarnessContext::component_named(const std::string& name) const {
  return name.empty() ? component_ : component_ + "-" + label_of(name);
}

decltype(SandboxOptions::decorate_hooks) HarnessContext::decoration(const SandboxSpec& spec) const {
  using Hooks = std::unique_ptr<SandboxHooks>;
  auto faults = spec.hook_faults ? with_faults(spec.hook_faults) : nullptr;
  const Mutant* const mutant = parts_.mutant;
  if (mutant == nullptr || !mutant->wrap_hooks) return faults;
  return [mutant, faults, trigger = trigger_](Hooks hooks) {
    Hooks mutated = mutant->wrap_hooks(std::move(hooks), trigger);
    return faults ? faults(std::move(mutated)) : std::move(mutated);
  };
}

std::unique_ptr<Sandbox> HarnessContext::make_sandbox(const SandboxSpec& spec) {
  SandboxOptions options;
  options.component_id = component_named(spec.component);
  options.settings = base_settings().overlaid_with(spec.settings);
  options.secrets = spec.secrets;
  options.diagnostics = spec.diagnostics;
  if (spec.step) options.current_step = [step = spec.step] { return step; };
  options.decorate_hooks = decoration(spec);
  const std::string component = options.component_id;
  const Settings settings = options.settings;
  std::unique_ptr<Sandbox> made =
      sandproof::make_sandbox(parts_.binding->flavor, std::move(options));
  const Mutant* const mutant = parts_.mutant;
  if (mutant != nullptr && mutant->wrap) made = mutant->wrap(std::move(made), trigger_);
  ledger_->component(component, settings);
  return std::make_unique<RememberingSandbox>(std::move(made), component, ledger_);
}

Sandbox& HarnessContext::sandbox() {
  const std::lock_guard lock(mutex_);
  if (sandbox_ == nullptr) sandbox_ = make_sandbox({});
  return *sandbox_;
}

Session& HarnessContext::session() {
  if (session_ == nullptr) session_ = sandbox().create_session();
  return *session_;
}

Probe& HarnessContext::probe() {
  if (probe_ == nullptr && parts_.binding->make_probe) {
    probe_ = parts_.binding->make_probe(base_settings());
  }
  if (probe_ == nullptr) {
    throw std::logic_error("the binding of " + parts_.binding->name() +
                           " has no probe: the case has to name what it needs in its row");
  }
  return *probe_;
}

FaultInjector& HarnessContext::faults() {
  if (faults_ == nullptr && parts_.binding->make_faults) {
    faults_ = parts_.binding->make_faults(base_settings());
  }
  if (faults_ == nullptr) {
    throw std::logic_error("the binding of " + parts_.binding->name() +
                           " injects no faults: the case has to name what it needs in its row");
  }
  return *faults_;
}

std::chrono::milliseconds HarnessContext::bound(
    std::optional<std::chrono::milliseconds> deadline) const {
  return scaled(deadline.value_or(kOperationTimeout) + kDrainGrace + kSlack);
}

std::chrono::milliseconds HarnessContext::scaled(std::chrono::milliseconds time) const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time * parts_.time_scale);
}

ElsewhereResult HarnessContext::elsewhere(const std::string& operation, const std::string& id,
                                          const std::optional<Snapshot>& snapshot,
                                          const std::vector<std::string>& argv) {
  ElsewhereRequest request;
  request.operation = operation;
  request.flavor = parts_.binding->name();
  request.component = component_;
  request.settings_json = parts_.binding->flavor.settings.to_json(base_settings());
  if (parts_.mutant != nullptr) request.mutant = parts_.mutant->name;
  request.session_id = id;
  if (snapshot) request.snapshot_json = to_json(*snapshot);
  request.argv = argv;
  ledger_->component(component_, base_settings());
  std::uint64_t fired = 0;
  ElsewhereResult result = ask_elsewhere(request, bound(), fired);
  parts_.block->fired += fired;
  if (!result.session_id.empty()) ledger_->session(component_, result.session_id);
  return result;
}

ElsewhereResult HarnessContext::attach_elsewhere(const std::string& id,
                                                 const std::vector<std::string>& argv) {
  return elsewhere("attach", id, std::nullopt, argv);
}

ElsewhereResult HarnessContext::restore_elsewhere(const Snapshot& snapshot,
                                                  const std::vector<std::string>& argv) {
  return elsewhere("restore", {}, snapshot, argv);
}

ElsewhereResult HarnessContext::die_elsewhere(const std::vector<std::string>& argv) {
  return elsewhere("die", {}, std::nullopt, argv);
}

std::vector<std::string> HarnessContext::census() {
  if (!parts_.binding->provides.contains(Need::kLeakCensus)) return {};
  return probe().census(component_);
}

void HarnessContext::note_trouble(const std::string& what, const std::exception& error) {
  parts_.events->note("after the case, " + what + ": " + error.what());
}

void HarnessContext::drop_session() {
  if (session_ == nullptr) return;
  const std::string id = session_->id();
  try {
    session_->destroy();
  } catch (const std::exception& error) {
    note_trouble("session " + id + " could not be destroyed", error);
  }
  session_.reset();
}

// Through a healthy sandbox, so that a mutant that does not destroy leaves nothing behind.
void HarnessContext::destroy_remembered(const std::string& component,
                                        const ComponentRecord& record) {
  const Capabilities& claims = parts_.binding->flavor.capabilities;
  const bool attaches = claims.has(Capability::kAttach) && !record.sessions.empty();
  if (!attaches && record.snapshots.empty()) return;
  SandboxOptions options;
  options.component_id = component;
  options.settings = record.settings;
  const std::unique_ptr<Sandbox> healthy =
      sandproof::make_sandbox(parts_.binding->flavor, std::move(options));
  for (const std::string& id : record.sessions) {
    if (!attaches) break;
    try {
      healthy->attach(id)->destroy();
    } catch (const NotFoundError&) {
      // Destroyed already: the normal case.
    } catch (const std::exception& error) {
      note_trouble("session " + id + " could not be destroyed", error);
    }
  }
  for (const Snapshot& snapshot : record.snapshots) {
    try {
      healthy->delete_snapshot(snapshot);
    } catch (const std::exception& error) {
      note_trouble("snapshot " + snapshot.ref + " could not be deleted", error);
    }
  }
}

std::vector<std::string> HarnessContext::tear_down() noexcept {
  std::vector<std::string> left;
  try {
    drop_session();
    sandbox_.reset();
    const bool counts = parts_.binding->provides.contains(Need::kLeakCensus);
    for (const auto& [component, record] : ledger_->take()) {
      try {
        destroy_remembered(component, record);
        if (!counts) continue;
        for (std::string& item : probe().census(component)) left.push_back(std::move(item));
      } catch (const std::exception& error) {
        note_trouble("component " + component + " could not be cleaned up", error);
      }
    }
    faults_.reset();
    probe_.reset();
    confined_.push_back(directory_);
    for (const std::filesystem::path& own : confined_) {
      const std::string trouble = remove_tree(own);
      if (!trouble.empty()) left.push_back(trouble);
    }
  } catch (const std::exception& error) {
    note_trouble("the case could not be taken down", error);
  }
  return left;
}

}  // namespace sandproof::conformance::runner

// SPDX-License-Identifier: Apache-2.0
// Making a sandbox on trial; see preflight.h.
#include "conformance/program/preflight.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "conformance/doctor/checkup.h"
#include "conformance/doctor/machine.h"
#include "conformance/doctor/scratch_directory.h"
#include "conformance/doctor/trial.h"
#include "conformance/program/program_error.h"
#include "sandproof/errors.h"
#include "sandproof/exit_status.h"
#include "sandproof/session.h"
#include "sandproof/wrappers.h"

namespace sandproof::conformance {
namespace {

/// A client that connects, negotiates and is refused is done well within this.
constexpr std::chrono::seconds kStartLimit{30};
/// A flavor's own limit of a start is its `operation_timeout`, half a minute where nobody sets it:
/// it gets to say what it waited for.
constexpr std::chrono::seconds kSessionLimit{45};
/// What fails now and then is found by the cases.
constexpr int kAttempts = 2;
/// Of the supervisor for each worker: commands, events, output, status and a process to hold.
constexpr std::uint64_t kDescriptorsPerJob = 8;
/// What the child exits with.
constexpr int kStarted = 0;
constexpr int kRefusedSettings = 2;
constexpr int kDidNotStart = 3;

/// Sorts what comes out of do_create_session() while its type is still known: the framework makes
/// errors of the contract of all of it.
class SortedErrors : public SandboxHookWrapper {
 public:
  SortedErrors(std::unique_ptr<SandboxHooks> inner, std::shared_ptr<bool> own_fault)
      : SandboxHookWrapper(std::move(inner)), own_fault_(std::move(own_fault)) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    try {
      return SandboxHookWrapper::do_create_session(spec);
    } catch (const std::runtime_error&) {
      throw;
    } catch (...) {
      *own_fault_ = true;
      throw;
    }
  }

 private:
  std::shared_ptr<bool> own_fault_;
};

/// What a flavor reports on the side is said again when the run needs it.
class Unreported : public Diagnostics {
 public:
  void report(LogLevel, std::string_view) override {}
};

SandboxOptions trial_options(const ConfiguredFlavor& configured,
                             const std::filesystem::path& scratch) {
  SandboxOptions options;
  options.component_id = configured.component_id;
  options.settings = component_settings(configured, scratch);
  return options;
}

int make_on_trial(const ConfiguredFlavor& configured, const std::filesystem::path& scratch,
                  std::string& message) {
  const Binding& binding = *configured.binding;
  try {
    make_sandbox(binding.flavor, trial_options(configured, scratch)).reset();
    return kStarted;
  } catch (const InvalidArgumentError& error) {
    message = error.what();
    return kRefusedSettings;
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "it threw something that is no std::exception";
  }
  return kDidNotStart;
}

void create_and_destroy(Sandbox& sandbox) {
  const std::unique_ptr<Session> session = sandbox.create_session({}, OnExit::kDestroy);
  try {
    session->destroy();
  } catch (const std::exception&) {
    // There are cases for that.
  }
}

int session_on_trial(const ConfiguredFlavor& configured, const std::filesystem::path& scratch,
                     std::string& message) {
  const auto own_fault = std::make_shared<bool>(false);
  SandboxOptions options = trial_options(configured, scratch);
  options.diagnostics = std::make_shared<Unreported>();
  options.decorate_hooks = [own_fault](std::unique_ptr<SandboxHooks> hooks) {
    return std::make_unique<SortedErrors>(std::move(hooks), own_fault);
  };
  const std::unique_ptr<Sandbox> sandbox =
      make_sandbox(configured.binding->flavor, std::move(options));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      create_and_destroy(*sandbox);
      return kStarted;
    } catch (const InvalidArgumentError& error) {
      message = error.what();
      return kRefusedSettings;
    } catch (const TimeoutError& error) {
      // Once more would take as long.
      message = error.what();
      return kDidNotStart;
    } catch (const std::exception& error) {
      message = error.what();
    }
    if (*own_fault) return kStarted;
  }
  return kDidNotStart;
}

/// The first child has seen that a sandbox can be made; that it could not be made again is no more
/// than a flavor's fault.
int session_or_fault(const ConfiguredFlavor& configured, const std::filesystem::path& scratch,
                     std::string& message) {
  try {
    return session_on_trial(configured, scratch, message);
  } catch (...) {
    return kStarted;
  }
}

ProgramError cannot_start(const std::string& name, const std::string& program,
                          const std::string& why) {
  return {ExitCode::kEnvironment,
          fmt::format("the flavor `{0}` cannot start: {1} (`{2} doctor --flavor {0}` says what it "
                      "needs)",
                      name, why, program)};
}

ProgramError refuses_settings(const std::string& name, const std::string& why) {
  return usage_error(fmt::format("the flavor `{}` refuses its settings: {}", name, why));
}

}  // namespace

void check_machine_ready(const std::vector<ConfiguredFlavor>& flavors, int jobs,
                         const std::string& program) {
  MachineNeeds needs;
  needs.temporary = temporary_directory();
  needs.least_descriptors += kDescriptorsPerJob * static_cast<std::uint64_t>(jobs);
  const CheckedGroup group = check_group("this machine", runner_preconditions(needs), Settings());
  for (const CheckedPrecondition& row : group.rows) {
    if (row.result.status != CheckStatus::kFailed) continue;
    const std::string& name = flavors.front().binding->name();
    throw cannot_start(name, program,
                       fmt::format("what the runner needs is not so here, \"{}\": {}; {}", row.name,
                                   row.result.detail, row.result.fix));
  }
}

void check_starts(const ConfiguredFlavor& configured, const std::string& program) {
  const std::string& name = configured.binding->name();
  const ScratchDirectory scratch;
  const Trial trial = try_in_child(
      [&](std::string& message) { return make_on_trial(configured, scratch.path(), message); },
      kStartLimit);
  if (!trial.ended) {
    throw cannot_start(name, program,
                       fmt::format("nothing came of it within {} s", kStartLimit.count()));
  }
  if (!WIFEXITED(trial.status)) {
    throw cannot_start(
        name, program,
        fmt::format("it ended as {}", ExitStatus::from_wait_status(trial.status).to_string()));
  }
  if (WEXITSTATUS(trial.status) == kRefusedSettings) throw refuses_settings(name, trial.text);
  if (WEXITSTATUS(trial.status) != kStarted) throw cannot_start(name, program, trial.text);
}

void check_gives_session(const ConfiguredFlavor& configured, const std::string& program,
                         double time_scale) {
  const std::string& name = configured.binding->name();
  const ScratchDirectory scratch;
  const Trial trial = try_in_child(
      [&](std::string& message) { return session_or_fault(configured, scratch.path(), message); },
      std::chrono::duration_cast<std::chrono::milliseconds>(kSessionLimit * time_scale));
  if (!trial.ended || !WIFEXITED(trial.status)) return;
  if (WEXITSTATUS(trial.status) == kRefusedSettings) throw refuses_settings(name, trial.text);
  if (WEXITSTATUS(trial.status) != kDidNotStart) return;
  throw cannot_start(name, program, "no session could be made of it: " + trial.text);
}

}  // namespace sandproof::conformance

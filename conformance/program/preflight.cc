// SPDX-License-Identifier: Apache-2.0
// Making a sandbox on trial; see preflight.h.
#include "conformance/program/preflight.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "conformance/doctor/scratch_directory.h"
#include "conformance/doctor/trial.h"
#include "conformance/program/program_error.h"
#include "sandproof/errors.h"
#include "sandproof/exit_status.h"

namespace sandproof::conformance {
namespace {

/// A client that connects, negotiates and is refused is done well within this.
constexpr std::chrono::seconds kStartLimit{30};
/// What the child exits with.
constexpr int kStarted = 0;
constexpr int kRefusedSettings = 2;
constexpr int kDidNotStart = 3;

int make_on_trial(const ConfiguredFlavor& configured, const std::filesystem::path& scratch,
                  std::string& message) {
  const Binding& binding = *configured.binding;
  try {
    SandboxOptions options;
    options.component_id = configured.component_id;
    options.settings = component_settings(configured, scratch);
    make_sandbox(binding.flavor, std::move(options)).reset();
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

}  // namespace

void check_starts(const ConfiguredFlavor& configured, const std::string& program) {
  const std::string& name = configured.binding->name();
  const ScratchDirectory scratch;
  const Trial trial = try_in_child(
      [&](std::string& message) { return make_on_trial(configured, scratch.path(), message); },
      kStartLimit);
  const auto cannot_start = [&](const std::string& why) {
    return ProgramError(ExitCode::kEnvironment,
                        fmt::format("the flavor `{0}` cannot start: {1} (`{2} doctor --flavor {0}` "
                                    "says what it needs)",
                                    name, why, program));
  };
  if (!trial.ended) {
    throw cannot_start(fmt::format("nothing came of it within {} s", kStartLimit.count()));
  }
  if (!WIFEXITED(trial.status)) {
    throw cannot_start(
        fmt::format("it ended as {}", ExitStatus::from_wait_status(trial.status).to_string()));
  }
  if (WEXITSTATUS(trial.status) == kStarted) return;
  if (WEXITSTATUS(trial.status) != kRefusedSettings) throw cannot_start(trial.text);
  throw usage_error(fmt::format("the flavor `{}` refuses its settings: {}", name, trial.text));
}

}  // namespace sandproof::conformance

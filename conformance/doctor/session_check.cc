// SPDX-License-Identifier: Apache-2.0
// A session on trial; see session_check.h.
#include "conformance/doctor/session_check.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "sandproof/process.h"
#include "sandproof/sandbox.h"
#include "sandproof/session.h"

namespace sandproof::conformance {
namespace {

constexpr std::array<std::string_view, 13> kPrograms = {"cat",    "dd",  "echo",   "head",  "ls",
                                                        "printf", "seq", "setsid", "sleep", "touch",
                                                        "true",   "wc",  "yes"};

/// Well within the limit of a check.
constexpr std::chrono::seconds kShellLimit{10};

/// Prints what is not there.
std::string search_script() {
  return fmt::format("for p in {}; do command -v $p >/dev/null || echo $p; done",
                     fmt::join(kPrograms, " "));
}

std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

CheckResult run_shell(Session& session) {
  CollectOptions options;
  options.timeout = kShellLimit;
  const Output output = session.exec({"sh", "-c", search_script()})->collect(options);
  if (output.timed_out || output.status.integer() != 0) {
    return CheckResult::failed(
        fmt::format("`sh` {}: {}", output.timed_out ? "hangs" : output.status.to_string(),
                    in_one_line(output.err)),
        "give the environment a POSIX shell");
  }
  if (output.out.empty()) return CheckResult::ok();
  return CheckResult::warning(
      "there is no " + in_one_line(output.out),
      "install them in the environment, or use an image that has them; cases that run them fail");
}

/// What a flavor warns of on the side is no matter of whether it works.
class NoDiagnostics : public Diagnostics {
 public:
  void report(LogLevel, std::string_view) override {}
};

CheckResult try_session(const Flavor& flavor, const std::string& component_id,
                        const Settings& settings) {
  SandboxOptions options;
  options.component_id = component_id;
  options.settings = settings;
  options.diagnostics = std::make_shared<NoDiagnostics>();
  try {
    const std::unique_ptr<Sandbox> sandbox = make_sandbox(flavor, std::move(options));
    CheckResult result;
    with_session(*sandbox, {}, OnExit::kDestroy,
                 [&result](Session& session) { result = run_shell(session); });
    return result;
  } catch (const InvalidArgumentError& error) {
    return CheckResult::failed(error.what(), "correct the settings: --config, --set");
  } catch (const std::exception& error) {
    return CheckResult::failed(error.what(),
                               "first what fails above; then what the flavor's own message names");
  }
}

}  // namespace

std::span<const std::string_view> programs_of_cases() { return kPrograms; }

Precondition session_precondition(const Binding& binding, const std::string& component_id) {
  return {"a session starts and has the programs that the cases run",
          [&binding, component_id](const Settings& settings) {
            return try_session(binding.flavor, component_id, settings);
          }};
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// What a case gets: a sandbox of the flavor under test, sessions that are destroyed for it, the
// probe, a scratch directory, seeded randomness, bounds, and another process.
//
// Owned by the worker for one case. Used by the case's own thread, except sandbox(), which may be
// used from any.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/conformance/hook_faults.h"
#include "sandproof/conformance/probe.h"
#include "sandproof/flavor.h"
#include "sandproof/sandbox.h"

namespace sandproof::conformance {

/// How a case wants a sandbox of its own.
struct SandboxSpec {
  /// On top of the binding's and the user's.
  Settings settings;
  /// Two sandboxes with the same name are the same component; empty: the case's own.
  std::string component;
  std::optional<StepContext> step;
  std::shared_ptr<SecretStore> secrets;
  std::shared_ptr<Diagnostics> diagnostics;
  /// Faults between the framework and the flavor; outside a mutant of the hooks.
  std::shared_ptr<HookFaults> hook_faults;
};

/// What another process that knows only the configuration reports.
struct ElsewhereResult {
  /// "ok", or the name of the error type: "NotFoundError" …
  std::string outcome;
  /// The error's text.
  std::string error;
  Output output;
  std::string session_id;
};

class CaseContext {
 public:
  virtual ~CaseContext() = default;

  /// The sandbox under test. Every session that it mints is remembered and destroyed after the
  /// case.
  virtual Sandbox& sandbox() = 0;
  /// Another one, of the same or another component; its sessions are remembered too.
  virtual std::unique_ptr<Sandbox> make_sandbox(const SandboxSpec& spec) = 0;
  /// A session of sandbox(), made at the first call.
  virtual Session& session() = 0;

  /// What the flavor's registration declares; for CAP-001 alone.
  virtual const Capabilities& declared() const = 0;

  virtual Probe& probe() = 0;
  virtual FaultInjector& faults() = 0;

  /// An empty directory of the harness, removed after the case.
  virtual const std::filesystem::path& scratch() = 0;
  virtual std::mt19937_64& random() = 0;

  /// CONTRACT.md's "bounded": the operation's own deadline (else operation_timeout's default, 30 s)
  /// + drain grace + 2 s, times --time-scale.
  virtual std::chrono::milliseconds bound(
      std::optional<std::chrono::milliseconds> deadline = std::nullopt) const = 0;
  /// A stretch of time that only has to be long enough: scaled by --time-scale.
  virtual std::chrono::milliseconds scaled(std::chrono::milliseconds time) const = 0;

  /// One line of what the case does, shown in a failure.
  virtual void note(std::string text) = 0;

  /// In another process that has the configuration: attach to `id` and collect `argv`; restore
  /// `snapshot`, collect `argv`, destroy. (Capability::kCrossProcess)
  virtual ElsewhereResult attach_elsewhere(const std::string& id,
                                           const std::vector<std::string>& argv) = 0;
  virtual ElsewhereResult restore_elsewhere(const Snapshot& snapshot,
                                            const std::vector<std::string>& argv) = 0;
  /// Another process makes a session, starts `argv` in it and is killed with SIGKILL.
  virtual ElsewhereResult die_elsewhere(const std::vector<std::string>& argv) = 0;
};

/// Collects `argv` in `session` with nothing special; for arranging, not for asserting.
Output run(Session& session, std::vector<std::string> argv);
/// `sh -c script`.
Output sh(Session& session, std::string script);

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// The state of a sandbox, shared by its handle and by every session that it minted. Thread-safe;
// its mutex guards the last teardown error alone and is held for nothing else.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec_pool.h"
#include "poller.h"
#include "sandproof/flavor.h"

namespace sandproof {

class SessionCore;

class SandboxCore : public std::enable_shared_from_this<SandboxCore> {
 public:
  /// Throws InvalidArgumentError for bad settings, and what the flavor's factory throws.
  SandboxCore(Flavor flavor, const SandboxOptions& options);
  ~SandboxCore();

  const std::string& flavor() const { return flavor_.name; }
  const std::string& component_id() const { return component_id_; }
  const Capabilities& capabilities() const { return flavor_.capabilities; }
  bool has(Capability capability) const { return flavor_.capabilities.has(capability); }

  std::shared_ptr<SessionCore> create_session(const Settings& overrides);
  std::shared_ptr<SessionCore> attach(std::string_view id);
  std::shared_ptr<SessionCore> restore(const Snapshot& snapshot, const Settings& overrides);
  void delete_snapshot(const Snapshot& snapshot);

  void note_teardown_error(const std::string& session_id, std::exception_ptr error);
  std::exception_ptr last_teardown_error() const;

  /// Throws UnsupportedError naming both unless the capability is claimed.
  void require(Capability capability, const char* operation) const;

  ExecPool& exec_pool() { return exec_pool_; }
  ExecPool& kill_pool() { return kill_pool_; }
  const std::shared_ptr<Poller>& poller() const { return poller_; }
  const std::shared_ptr<Diagnostics>& diagnostics() const { return diagnostics_; }

 private:
  struct Plan;
  Plan plan_session(const Settings& overrides, std::string id);
  enum class Origin { kMade, kAttached };
  std::shared_ptr<SessionCore> finish_session(Plan plan, std::unique_ptr<SessionHooks> hooks,
                                              Origin origin);
  void check_component(const Snapshot& snapshot, const char* operation) const;

  const Flavor flavor_;
  const std::string component_id_;
  const Settings component_settings_;
  const std::shared_ptr<SecretStore> secrets_;
  const std::shared_ptr<IdSource> ids_;
  const std::shared_ptr<Diagnostics> diagnostics_;
  const std::function<std::optional<StepContext>()> current_step_;
  const std::shared_ptr<Poller> poller_;
  std::unique_ptr<SandboxHooks> hooks_;
  /// Starts are short; two threads keep one slow backend call from holding up everybody.
  ExecPool exec_pool_{2};
  /// Kills at deadlines wait for no start.
  ExecPool kill_pool_{2};

  mutable std::mutex mutex_;
  std::exception_ptr teardown_error_;
};

}  // namespace sandproof

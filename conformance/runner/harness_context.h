// SPDX-License-Identifier: Apache-2.0
// The CaseContext that the worker makes for one case, and takes down after it. See context.h for
// who may use it from where; tear_down() is called once, by the worker's main thread, when the
// body has returned.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "conformance/runner/event_sink.h"
#include "conformance/runner/ledger.h"
#include "conformance/runner/shared_block.h"
#include "sandproof/conformance/binding.h"
#include "sandproof/conformance/context.h"
#include "sandproof/conformance/mutant.h"

namespace sandproof::conformance::runner {

/// What every context of a worker is made from. Borrowed pointers outlive the worker's contexts.
struct ContextParts {
  const Binding* binding = nullptr;
  /// The user's, on top of the binding's.
  Settings config;
  /// Null: the healthy flavor.
  const Mutant* mutant = nullptr;
  double time_scale = 1;
  EventSink* events = nullptr;
  SharedBlock* block = nullptr;
};

class HarnessContext : public CaseContext {
 public:
  /// `directory` is made here, and removed by tear_down(). Throws RunnerError when it cannot be.
  HarnessContext(const ContextParts& parts, std::filesystem::path directory, std::uint64_t seed);
  ~HarnessContext() override;
  HarnessContext(const HarnessContext&) = delete;
  HarnessContext& operator=(const HarnessContext&) = delete;

  Sandbox& sandbox() override;
  std::unique_ptr<Sandbox> make_sandbox(const SandboxSpec& spec) override;
  Session& session() override;
  const Capabilities& declared() const override { return parts_.binding->flavor.capabilities; }
  Probe& probe() override;
  FaultInjector& faults() override;
  const std::filesystem::path& scratch() override { return scratch_; }
  std::mt19937_64& random() override { return random_; }
  std::chrono::milliseconds bound(
      std::optional<std::chrono::milliseconds> deadline = std::nullopt) const override;
  std::chrono::milliseconds scaled(std::chrono::milliseconds time) const override;
  void note(std::string text) override { parts_.events->note(text); }
  ElsewhereResult attach_elsewhere(const std::string& id,
                                   const std::vector<std::string>& argv) override;
  ElsewhereResult restore_elsewhere(const Snapshot& snapshot,
                                    const std::vector<std::string>& argv) override;
  ElsewhereResult die_elsewhere(const std::vector<std::string>& argv) override;

  /// The component id of sandbox().
  const std::string& component() const { return component_; }
  const Binding& binding() const { return *parts_.binding; }
  /// What the backend holds of the case's own component; empty without a census.
  std::vector<std::string> census();

  /// Destroys what the case has left, removes its directory, and returns what the backend still
  /// holds of the case then: one line per thing. Trouble on the way becomes notes. Never throws.
  std::vector<std::string> tear_down() noexcept;

 private:
  /// Gives the case directories of its own (Binding::directory_settings).
  void confine_directories();
  Settings base_settings() const;
  /// What stands between the framework and the flavor's hooks; may be null.
  decltype(SandboxOptions::decorate_hooks) decoration(const SandboxSpec& spec) const;
  std::string component_named(const std::string& name) const;
  ElsewhereResult elsewhere(const std::string& operation, const std::string& id,
                            const std::optional<Snapshot>& snapshot,
                            const std::vector<std::string>& argv);
  void drop_session();
  void destroy_remembered(const std::string& component, const ComponentRecord& record);
  void note_trouble(const std::string& what, const std::exception& error);

  ContextParts parts_;
  std::filesystem::path directory_;
  std::filesystem::path scratch_;
  std::filesystem::path backend_;
  /// Below what the user's config names; removed by tear_down().
  std::vector<std::filesystem::path> confined_;
  std::string component_;
  std::mt19937_64 random_;
  std::shared_ptr<Ledger> ledger_ = std::make_shared<Ledger>();
  /// One for all sandboxes of the case: opportunities are counted over the case.
  std::shared_ptr<Trigger> trigger_;
  std::mutex mutex_;  ///< Guards the two that are made at first use from any thread.
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Probe> probe_;
  std::unique_ptr<FaultInjector> faults_;
};

}  // namespace sandproof::conformance::runner

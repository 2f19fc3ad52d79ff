// SPDX-License-Identifier: Apache-2.0
// What a case has made: sessions and snapshots per component, so that they can be taken away after
// it, whatever became of the handles. And the wrappers that write it down. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "sandproof/settings.h"
#include "sandproof/wrappers.h"

namespace sandproof::conformance::runner {

/// "left behind: one; another (see LEAK-001)": the message of a case that left `items`, at least
/// one, with the rule that a flavor breaks by it: another for processes than for what is held.
std::string left_behind(const std::vector<std::string>& items);

struct ComponentRecord {
  /// Those of the component's first sandbox.
  Settings settings;
  std::set<std::string> sessions;
  std::vector<Snapshot> snapshots;
};

class Ledger {
 public:
  void component(const std::string& id, const Settings& settings);
  void session(const std::string& component, const std::string& id);
  void snapshot(const std::string& component, const Snapshot& snapshot);
  /// What was written down, which is then forgotten.
  std::map<std::string, ComponentRecord> take();

 private:
  std::mutex mutex_;
  std::map<std::string, ComponentRecord> components_;
};

/// Writes down the sessions that it mints, and wraps them so that their snapshots are too.
class RememberingSandbox : public SandboxWrapper {
 public:
  /// `component`: the one that it was made for, whatever a broken `inner` says.
  RememberingSandbox(std::unique_ptr<Sandbox> inner, std::string component,
                     std::shared_ptr<Ledger> ledger);
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override;
  std::unique_ptr<Session> attach(std::string_view id, Where where) override;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override;

 private:
  std::unique_ptr<Session> remembered(std::unique_ptr<Session> session);
  std::string component_;
  std::shared_ptr<Ledger> ledger_;
};

}  // namespace sandproof::conformance::runner

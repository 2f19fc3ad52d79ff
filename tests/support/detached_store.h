// SPDX-License-Identifier: Apache-2.0
// Where the test flavor `detached` keeps its environments and snapshots: a directory for each, that
// any process with the configuration can read.
//
//   <base>/<session id>/meta.json   component, state, environment
//   <base>/<session id>/root/       the working directory
//   <base>/.gone-<session id>/      an environment that is being destroyed
//   <base>/.snapshot-<ref>/         meta.json and root/ as they were
//   <base>/.fail-next-start         the next start fails after its environment was made
//
// Every change of state is one rename, so that another process sees all of it or nothing.
// Stateless but for the base; any thread, any process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sandproof/command.h"

namespace sandproof::detached {

struct Meta {
  std::string component_id;
  /// "running" or "stopped".
  std::string state = "running";
  /// What was forwarded from the host when the environment was made.
  Environment forwarded;
  /// The session's own variables.
  Environment env;
};

class Store {
 public:
  explicit Store(std::filesystem::path base) : base_(std::move(base)) {}

  std::filesystem::path directory(const std::string& id) const { return base_ / id; }
  std::filesystem::path root(const std::string& id) const { return base_ / id / "root"; }
  const std::filesystem::path& base() const { return base_; }

  /// Makes an environment, its files copied from the snapshot `from` if that is not empty. Throws
  /// BackendError, NotFoundError for a snapshot that is gone. On an error nothing is left.
  void create(const std::string& id, const Meta& meta, const std::string& from = {});
  /// Empty when there is no such environment.
  std::optional<Meta> find(const std::string& id) const;
  void set_state(const std::string& id, const std::string& state);
  /// From now on find() does not find it; its files are there until remove().
  void retire(const std::string& id);
  /// Removes what retire() left. Does nothing when there is nothing.
  void remove(const std::string& id);

  void save(const std::string& id, const std::string& ref);
  std::optional<Meta> find_snapshot(const std::string& ref) const;
  void remove_snapshot(const std::string& ref);

  /// Whether the next start was to fail; asks once.
  bool take_failing_start() const;
  void fail_next_start() const;

 private:
  std::filesystem::path snapshot_path(const std::string& ref) const {
    return base_ / (".snapshot-" + ref);
  }
  std::filesystem::path gone_path(const std::string& id) const { return base_ / (".gone-" + id); }
  void remove_entry(const std::filesystem::path& path) const;

  const std::filesystem::path base_;
};

}  // namespace sandproof::detached

// SPDX-License-Identifier: Apache-2.0
// What all components of the flavor share: one machine on a thread of its own, the environments in
// it, and their snapshots. Environments are held and changed in the machine's thread alone; the
// calls here may come from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fakes/machine/host/host_loop.h"
#include "fakes/machine/images/image.h"
#include "fakes/machine/plugged/plugged_programs.h"
#include "sandproof/command.h"
#include "sandproof/hooks.h"
#include "sandproof/settings.h"

namespace sandproof::memory {

/// What an environment is made from, and what a snapshot keeps besides files.
struct Blueprint {
  std::string component_id;
  Settings settings;  // Complete.
  Environment env;    // Of the session, on top of the image's.
};

/// One environment. In the machine's thread.
struct Box {
  Blueprint blueprint;
  machine::Image image;  // With the user, the environment and the files that it began with.
  machine::ImageBox parts;
  std::string workdir;
  /// What is mounted on the working directory where the root cannot be written; null elsewhere.
  std::shared_ptr<machine::Tree> workdir_volume;
  /// Empty while it runs.
  std::string ended;

  bool running() const { return ended.empty(); }
  /// The user of its commands, as its file system is asked.
  machine::Caller caller(machine::Machine& machine) const;
};

class World : public std::enable_shared_from_this<World> {
 public:
  /// The programs are borrowed: rows of a table. The plugged ones are found before them.
  explicit World(std::span<const machine::ProgramRow> programs,
                 std::shared_ptr<const machine::PluggedPrograms> plugged = nullptr);
  /// Ends everything.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Started at the first call, so that a program may fork before.
  machine::HostLoop& loop();

  /// A new environment `id`, from its profile or from the snapshot `from`. Throws
  /// InvalidArgumentError, NotFoundError for a snapshot that is gone, BackendError (also one that
  /// was asked for by fail_next_start()); nothing is left then.
  void create(const std::string& id, Blueprint blueprint, const std::string& from = {});
  /// Ends it; nothing where it is gone.
  void destroy(const std::string& id);
  /// Ends its processes, and keeps the rest.
  void stop(const std::string& id);
  /// Calls `work` in the machine's thread with the running environment. Throws SandboxLostError
  /// where it is gone or stopped.
  template <typename F>
  auto with_box(const std::string& id, F&& work);
  /// Of which component, and why it has ended (empty: it runs); nothing where there is none.
  struct Whose {
    std::string component_id;
    std::string ended;
  };
  std::optional<Whose> find(const std::string& id);

  /// Throws SandboxLostError.
  void save(const std::string& id, const std::string& ref);
  /// What it keeps besides files; nothing where there is none.
  std::optional<Blueprint> find_snapshot(const std::string& ref);
  void remove_snapshot(const std::string& ref);

  // For probes.

  std::vector<machine::ProcessInfo> processes(const std::string& id);
  /// A line for each environment, each of its processes but its init, and each snapshot.
  std::vector<std::string> census(const std::string& component_id);
  void fail_next_start() { failing_starts_.fetch_add(1); }

 private:
  struct Saved {
    Blueprint blueprint;
    machine::TreeSnapshot files;
    std::optional<machine::TreeSnapshot> workdir;
  };

  Box make(machine::Machine& machine, const std::string& id, Blueprint blueprint,
           const Saved* from);
  const machine::Image& profile_image(machine::Machine& machine, const std::string& name);
  Box& running_box(const std::string& id);
  void end(machine::Machine& machine, Box& box);

  const std::span<const machine::ProgramRow> programs_;
  const std::shared_ptr<const machine::PluggedPrograms> plugged_;
  std::atomic<int> failing_starts_ = 0;

  // In the machine's thread.
  std::map<std::string, machine::Image, std::less<>> images_;
  std::map<std::string, Box, std::less<>> boxes_;
  std::map<std::string, Saved, std::less<>> snapshots_;

  std::once_flag started_;
  std::unique_ptr<machine::HostLoop> loop_;  // The last: what runs in it uses the rest.
};

template <typename F>
auto World::with_box(const std::string& id, F&& work) {
  return loop().call([&](machine::Machine& machine) { return work(machine, running_box(id)); });
}

/// The flavor's own settings.
std::vector<SettingField> memory_settings();

}  // namespace sandproof::memory

// SPDX-License-Identifier: Apache-2.0
// The row of the flavor, and its sandbox hooks. See memory_flavor.h.
#include "flavors/memory/memory_flavor.h"

#include <utility>

#include "flavors/memory/memory_session.h"
#include "sandproof/errors.h"

namespace sandproof::memory {
namespace {

class MemorySandbox : public SandboxHooks {
 public:
  MemorySandbox(const ComponentContext& context, std::shared_ptr<World> world)
      : component_id_(context.component_id),
        ids_(context.ids ? context.ids : system_id_source()),
        world_(std::move(world)) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    world_->create(spec.id, {component_id_, spec.settings, spec.env});
    return session(spec.id);
  }

  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    const std::optional<World::Whose> whose = world_->find(spec.id);
    if (!whose) throw NotFoundError("there is no session " + spec.id + " to attach to");
    if (whose->component_id != component_id_) {
      throw NotFoundError("the session " + spec.id + " belongs to the sandbox component '" +
                          whose->component_id + "', not to '" + component_id_ + "'");
    }
    if (!whose->ended.empty()) {
      throw NotFoundError("the session " + spec.id + " cannot be attached to: it is " +
                          whose->ended);
    }
    return session(spec.id);
  }

  std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot, const Settings& overrides,
                                           const SessionSpec& spec) override {
    std::optional<Blueprint> saved = world_->find_snapshot(snapshot.ref);
    if (!saved) throw NotFoundError("the snapshot " + snapshot.ref + " is gone");
    saved->component_id = component_id_;
    for (const auto& [name, value] : overrides.fields()) {
      saved->settings.set(name, *spec.settings.find(name));
    }
    if (overrides.has("environment")) saved->env = spec.env;
    world_->create(spec.id, *std::move(saved), snapshot.ref);
    return session(spec.id);
  }

  void do_delete_snapshot(const Snapshot& snapshot) override {
    world_->remove_snapshot(snapshot.ref);
  }

 private:
  std::unique_ptr<SessionHooks> session(const std::string& id) const {
    return std::make_unique<MemorySession>(world_, ids_, id);
  }

  const std::string component_id_;
  const std::shared_ptr<IdSource> ids_;
  const std::shared_ptr<World> world_;
};

}  // namespace

Flavor memory_flavor(std::shared_ptr<World> world) {
  return {
      .name = "memory",
      .documentation_url = "",
      .settings = SettingsDescription(memory_settings()),
      .capabilities = {Capability::kAttach, Capability::kOutlives, Capability::kKillTree,
                       Capability::kUpload, Capability::kDownload, Capability::kSnapshot,
                       Capability::kRestore, Capability::kStdin, Capability::kAsyncExec},
      .make_hooks =
          [world = std::move(world)](const ComponentContext& context) {
            return std::make_unique<MemorySandbox>(context, world);
          },
  };
}

}  // namespace sandproof::memory

// SPDX-License-Identifier: Apache-2.0
// See detached_flavor.h.
#include "tests/support/detached_flavor.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "flavors/local/environment.h"
#include "flavors/local/start_command.h"
#include "flavors/local/transfer.h"
#include "flavors/local/tree.h"
#include "flavors/local/workdir.h"
#include "sandproof/errors.h"
#include "tests/support/detached_store.h"

namespace sandproof::detached {
namespace {

constexpr int kTokenDigits = 16;
constexpr int kRefDigits = 12;
/// A start that is on its way when the environment is destroyed takes a millisecond.
constexpr std::chrono::milliseconds kStartLimit{500};

/// What a sandbox's sessions share.
struct World {
  std::string component_id;
  Store store;
  std::shared_ptr<IdSource> ids;
  std::shared_ptr<local::ProcessTable> table;
};

/// Ends every process of an environment. `children` are the commands of this handle: one that was
/// started an instant ago has no environment yet in which its mark could be read.
void kill_everything(const World& world, const std::string& id,
                     const std::vector<std::shared_ptr<local::Child>>& children = {}) {
  local::terminate_marked(*world.table, local::MarkPattern::session(world.component_id, id),
                          children, 0, std::chrono::milliseconds(0));
}

class DetachedSession : public SessionHooks {
 public:
  DetachedSession(std::shared_ptr<World> world, std::string id, Meta meta)
      : world_(std::move(world)),
        id_(std::move(id)),
        meta_(std::move(meta)),
        children_(std::make_shared<local::Children>(id_)),
        root_(::open(world_->store.root(id_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!root_.valid()) throw NotFoundError("the environment of session " + id_ + " is gone");
  }

  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    require_environment();
    Environment env = meta_.forwarded;
    for (const auto& [name, value] : meta_.env) env[name] = value;
    for (const auto& [name, value] : request.exec_env) env[name] = value;
    const local::Mark mark{world_->component_id, id_, world_->ids->hex(kTokenDigits)};
    auto process = local::start_command(
        {world_->table, children_, root_.get(), world_->store.root(id_).string()}, request, env,
        mark, children_->start());
    // A destroy that did not see the command yet is seen by it: then the hooks end it.
    require_environment();
    return process;
  }

  void do_close() override {}

  void do_destroy() override {
    world_->store.retire(id_);
    kill_everything(*world_, id_, children_->close(std::chrono::steady_clock::now() + kStartLimit));
    world_->store.remove(id_);
  }

  void do_upload_file(const std::filesystem::path& local, const std::string& remote) override {
    require_environment();
    local::upload_file({root_.get(), "session " + id_}, *world_->ids, local, remote);
  }
  void do_download_file(const std::string& remote, const std::filesystem::path& local) override {
    require_environment();
    local::download_file({root_.get(), "session " + id_}, *world_->ids, remote, local);
  }

  Snapshot do_create_snapshot() override {
    require_environment();
    Snapshot snapshot;
    snapshot.ref = "snap-" + world_->ids->hex(kRefDigits);
    world_->store.save(id_, snapshot.ref);
    snapshot.metadata["session_id"] = id_;
    return snapshot;
  }

  std::optional<std::string> do_dashboard_url() override {
    return "file://" + world_->store.directory(id_).string();
  }

 private:
  void require_environment() const {
    const std::optional<Meta> meta = world_->store.find(id_);
    if (meta && meta->state == "running") return;
    throw SandboxLostError("the environment of session " + id_ + " is " +
                           (meta ? meta->state : "gone") + "; create another session");
  }

  const std::shared_ptr<World> world_;
  const std::string id_;
  const Meta meta_;
  const std::shared_ptr<local::Children> children_;
  const local::Descriptor root_;
};

class DetachedSandbox : public SandboxHooks {
 public:
  explicit DetachedSandbox(const ComponentContext& context)
      : world_(std::make_shared<World>(
            World{context.component_id,
                  Store(local::base_directory(setting<std::string>(context.settings, "base_dir"))),
                  context.ids, local::system_process_table()})) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    return start(spec, make_meta(spec), {});
  }

  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    std::optional<Meta> meta = world_->store.find(spec.id);
    if (!meta) throw NotFoundError("there is no session " + spec.id + " to attach to");
    if (meta->component_id != world_->component_id) {
      throw NotFoundError("the session " + spec.id + " belongs to the sandbox component '" +
                          meta->component_id + "', not to '" + world_->component_id + "'");
    }
    if (meta->state != "running") {
      throw NotFoundError("the session " + spec.id + " cannot be attached to: it is " +
                          meta->state);
    }
    return std::make_unique<DetachedSession>(world_, spec.id, std::move(*meta));
  }

  std::unique_ptr<SessionHooks> do_restore(const Snapshot& snapshot, const Settings& overrides,
                                           const SessionSpec& spec) override {
    std::optional<Meta> meta = world_->store.find_snapshot(snapshot.ref);
    if (!meta) throw NotFoundError("the snapshot " + snapshot.ref + " is gone");
    meta->state = "running";
    if (overrides.has("environment")) meta->env = spec.env;
    if (overrides.has("forward_env")) meta->forwarded = make_meta(spec).forwarded;
    return start(spec, *meta, snapshot.ref);
  }

  void do_delete_snapshot(const Snapshot& snapshot) override {
    world_->store.remove_snapshot(snapshot.ref);
  }

 private:
  Meta make_meta(const SessionSpec& spec) const {
    Meta meta;
    meta.component_id = world_->component_id;
    meta.forwarded = local::forwarded_environment(*spec.settings.find("forward_env"));
    meta.env = spec.env;
    return meta;
  }

  std::unique_ptr<SessionHooks> start(const SessionSpec& spec, const Meta& meta,
                                      const std::string& from) {
    world_->store.create(spec.id, meta, from);
    auto session = std::make_unique<DetachedSession>(world_, spec.id, meta);
    if (world_->store.take_failing_start()) {
      session->do_destroy();
      throw BackendError("the environment of " + spec.id + " did not become ready (injected)");
    }
    return session;
  }

  const std::shared_ptr<World> world_;
};

}  // namespace

Flavor detached_flavor() {
  return {
      .name = "detached",
      .documentation_url = "",
      .settings = SettingsDescription({
          {.name = "forward_env",
           .type = SettingType::kBoolOrList,
           .default_value = local::default_forwarded_names(),
           .help = "host variables that commands get: true for all, false for none, or their names",
           .least = std::nullopt,
           .largest = std::nullopt,
           .choices = {}},
          {.name = "base_dir",
           .type = SettingType::kString,
           .default_value = std::string(),
           .help = "where environments and snapshots live; empty: $TMPDIR or /tmp",
           .least = std::nullopt,
           .largest = std::nullopt,
           .choices = {}},
      }),
      .capabilities = Capabilities::all(),
      .make_hooks =
          [](const ComponentContext& context) {
            return std::make_unique<DetachedSandbox>(context);
          },
  };
}

void stop_environment(const std::string& base_dir, const std::string& component_id,
                      const std::string& session_id) {
  World world{component_id, Store(local::base_directory(base_dir)), system_id_source(),
              local::system_process_table()};
  world.store.set_state(session_id, "stopped");
  kill_everything(world, session_id);
}

}  // namespace sandproof::detached

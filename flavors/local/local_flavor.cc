// SPDX-License-Identifier: Apache-2.0
// The row of the flavor, and its sandbox hooks. See sandproof/flavors/local.h.
#include <unistd.h>

#include <atomic>
#include <exception>
#include <optional>
#include <utility>

#include "flavors/local/environment.h"
#include "flavors/local/local_session.h"
#include "flavors/local/process_table.h"
#include "sandproof/errors.h"
#include "sandproof/flavors/local.h"

namespace sandproof::local {
namespace {

// Seconds. Whoever wants to wait longer for a command than for a tea break waits for it before.
constexpr double kLargestGrace = 3600;

class LocalSandbox : public SandboxHooks {
 public:
  LocalSandbox(const ComponentContext& context, std::shared_ptr<ProcessTable> table)
      : component_id_(context.component_id),
        ids_(context.ids ? context.ids : system_id_source()),
        diagnostics_(context.diagnostics),
        table_(std::move(table)) {}

  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    const std::optional<ProcessRow> self = table_->find(::getpid());
    if (!self) {
      throw BackendError(
          "the flavor local finds the processes of its commands in /proc, which is "
          "not mounted here; mount it");
    }
    auto session =
        std::make_unique<LocalSession>(spec, LocalSession::Shared{ids_, table_, self->start});
    warn_once();
    return session;
  }

 private:
  void warn_once() noexcept {
    if (diagnostics_ == nullptr || warned_.exchange(true)) return;
    try {
      diagnostics_->report(LogLevel::kWarning,
                           "the sandbox " + component_id_ +
                               " is of the flavor local, which gives no isolation: its commands "
                               "can do whatever this program's user can do");
    } catch (const std::exception&) {
      // A session that was made is worth more than a warning that cannot be written.
    }
  }

  const std::string component_id_;
  const std::shared_ptr<IdSource> ids_;
  const std::shared_ptr<Diagnostics> diagnostics_;
  const std::shared_ptr<ProcessTable> table_;
  std::atomic<bool> warned_ = false;
};

}  // namespace

Flavor local_flavor() {
  return {
      .name = "local",
      .documentation_url = "",
      .settings = SettingsDescription({
          {.name = "forward_env",
           .type = SettingType::kBoolOrList,
           .default_value = default_forwarded_names(),
           .help = "host variables that commands get: true for all, false for none, or their names",
           .least = std::nullopt,
           .largest = std::nullopt,
           .choices = {}},
          {.name = "base_dir",
           .type = SettingType::kString,
           .default_value = std::string(),
           .help =
               "an existing directory in which each session gets its own; empty: $TMPDIR or /tmp",
           .least = std::nullopt,
           .largest = std::nullopt,
           .choices = {}},
          {.name = "close_grace",
           .type = SettingType::kDuration,
           .default_value = 5.0,
           .help = "seconds between TERM and KILL when a session is closed",
           .least = 0,
           .largest = kLargestGrace,
           .choices = {}},
      }),
      .capabilities = {Capability::kKillTree, Capability::kUpload, Capability::kDownload,
                       Capability::kStdin, Capability::kAsyncExec},
      .make_hooks =
          [](const ComponentContext& context) {
            return std::make_unique<LocalSandbox>(context, system_process_table());
          },
  };
}

}  // namespace sandproof::local

// SPDX-License-Identifier: Apache-2.0
// A handle to an environment of the memory flavor: it holds nothing but the id. Thread rules of
// SessionHooks (hooks.h).
#pragma once

#include <memory>
#include <string>

#include "flavors/memory/world.h"
#include "sandproof/hooks.h"
#include "sandproof/id_source.h"

namespace sandproof::memory {

class MemorySession : public SessionHooks {
 public:
  MemorySession(std::shared_ptr<World> world, std::shared_ptr<IdSource> ids, std::string id)
      : world_(std::move(world)), ids_(std::move(ids)), id_(std::move(id)) {}

  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override;
  /// The environment goes on.
  void do_close() override {}
  void do_destroy() override { world_->destroy(id_); }
  void do_upload_file(const std::filesystem::path& local, const std::string& remote) override;
  void do_download_file(const std::string& remote, const std::filesystem::path& local) override;
  Snapshot do_create_snapshot() override;

 private:
  const std::shared_ptr<World> world_;
  const std::shared_ptr<IdSource> ids_;
  const std::string id_;
};

}  // namespace sandproof::memory

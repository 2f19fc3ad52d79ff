// SPDX-License-Identifier: Apache-2.0
// One session of the local flavor: a working directory, the environment of its commands, and the
// commands that run in it. Thread rules of SessionHooks (hooks.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "flavors/local/children.h"
#include "flavors/local/process_table.h"
#include "flavors/local/remote_path.h"
#include "flavors/local/workdir.h"
#include "sandproof/hooks.h"
#include "sandproof/id_source.h"

namespace sandproof::local {

class LocalSession : public SessionHooks {
 public:
  /// What a session shares with the others of its sandbox.
  struct Shared {
    std::shared_ptr<IdSource> ids;
    std::shared_ptr<ProcessTable> table;
    /// When this program started (ProcessRow::start): all of its commands started later.
    std::uint64_t since = 0;
  };

  /// Makes the working directory; it is removed again with the object. Throws BackendError, and
  /// InvalidArgumentError for a bad name in forward_env.
  LocalSession(const SessionSpec& spec, Shared shared);

  /// A start cannot be interrupted: it takes as long as the kernel takes to load the program,
  /// whatever the request's deadline.
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override;
  void do_close() override;
  void do_upload_file(const std::filesystem::path& local, const std::string& remote) override;
  void do_download_file(const std::string& remote, const std::filesystem::path& local) override;

 private:
  PathRoot root() const { return {workdir_.descriptor(), "session " + id_}; }

  const std::string id_;
  const std::string component_id_;
  const Shared shared_;
  const Environment forwarded_;
  const std::chrono::milliseconds grace_;
  const std::shared_ptr<Children> children_;
  Workdir workdir_;
};

}  // namespace sandproof::local

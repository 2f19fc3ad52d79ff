// SPDX-License-Identifier: Apache-2.0
// One session of the local flavor. See local_session.h.
#include "flavors/local/local_session.h"

#include <exception>
#include <utility>

#include "flavors/local/environment.h"
#include "flavors/local/start_command.h"
#include "flavors/local/transfer.h"
#include "flavors/local/tree.h"
#include "sandproof/errors.h"

namespace sandproof::local {
namespace {

// 64 random bits tell the commands of a session apart.
constexpr int kTokenDigits = 16;
// A start takes a millisecond. One that is stuck (in a file system that does not answer) ends its
// command by itself when it gets on.
constexpr std::chrono::milliseconds kStartLimit{500};

}  // namespace

LocalSession::LocalSession(const SessionSpec& spec, Shared shared)
    : id_(spec.id),
      component_id_(spec.component_id),
      shared_(std::move(shared)),
      forwarded_(forwarded_environment(*spec.settings.find("forward_env"))),
      grace_(setting_duration(spec.settings, "close_grace")),
      children_(std::make_shared<Children>(spec.id)),
      workdir_(setting<std::string>(spec.settings, "base_dir"), spec.id) {}

std::unique_ptr<ProcessHooks> LocalSession::do_exec(const ExecRequest& request) {
  Children::Start ticket = children_->start();
  const Mark mark{component_id_, id_, shared_.ids->hex(kTokenDigits)};
  return start_command({shared_.table, children_, workdir_.descriptor(), workdir_.path().string()},
                       request, layered_environment(forwarded_, request.env), mark,
                       std::move(ticket));
}

void LocalSession::do_close() {
  const auto children = children_->close(std::chrono::steady_clock::now() + kStartLimit);
  std::string trouble;
  if (children_->any_started()) {
    try {
      terminate_marked(*shared_.table, MarkPattern::session(component_id_, id_), children,
                       shared_.since, grace_);
    } catch (const std::exception& error) {
      trouble = error.what();
    }
  }
  // Only now: what still runs would write into it.
  try {
    workdir_.remove();
  } catch (const BackendError& error) {
    trouble += (trouble.empty() ? "" : "; ") + std::string(error.what());
  }
  if (!trouble.empty()) throw BackendError("closing session " + id_ + ": " + trouble);
}

void LocalSession::do_upload_file(const std::filesystem::path& local, const std::string& remote) {
  upload_file(root(), *shared_.ids, local, remote);
}

void LocalSession::do_download_file(const std::string& remote, const std::filesystem::path& local) {
  download_file(root(), *shared_.ids, remote, local);
}

}  // namespace sandproof::local

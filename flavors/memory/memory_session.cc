// SPDX-License-Identifier: Apache-2.0
// See memory_session.h.
#include "flavors/memory/memory_session.h"

#include <utility>

#include "flavors/memory/find_program.h"
#include "flavors/memory/memory_process.h"
#include "flavors/memory/start_failure.h"
#include "flavors/memory/transfer.h"

namespace sandproof::memory {
namespace {

using machine::Machine;

constexpr int kRefDigits = 12;

/// The image's, the session's and the command's own, each over the one before.
Environment environment_of(const Box& box, const ExecRequest& request) {
  Environment env;
  for (const std::string& one : box.image.env) {
    const std::size_t equals = one.find('=');
    env[one.substr(0, equals)] = one.substr(equals + 1);
  }
  for (const auto& [name, value] : box.blueprint.env) env[name] = value;
  for (const auto& [name, value] : request.exec_env) env[name] = value;
  return env;
}

}  // namespace

std::unique_ptr<ProcessHooks> MemorySession::do_exec(const ExecRequest& request) {
  StartTrouble trouble;
  auto process = world_->with_box(
      id_, [&](Machine& machine, Box& box) -> std::unique_ptr<machine::HostProcess> {
        const Environment env = environment_of(box, request);
        ProgramPlace place;
        trouble = find_program(machine, box, request, env, place);
        if (trouble.step != StartTrouble::Step::kNone) return nullptr;
        machine::Start start;
        start.argv = request.argv;
        start.path = std::move(place.path);
        start.cwd = std::move(place.cwd);
        start.credentials = box.image.user;
        for (const auto& [name, value] : env) start.env.push_back(name + "=" + value);
        auto started = machine::HostProcess::start(world_->loop(), machine, *box.parts.box,
                                                   std::move(start), request.wants_input);
        if (started) return *std::move(started);
        trouble = {StartTrouble::Step::kStart, started.error(), request.argv.front()};
        return nullptr;
      });
  if (process == nullptr) fail_start(id_, request, trouble);
  return std::make_unique<MemoryProcess>(world_, std::move(process));
}

void MemorySession::do_upload_file(const std::filesystem::path& local, const std::string& remote) {
  upload_file(*world_, id_, *ids_, local, remote);
}

void MemorySession::do_download_file(const std::string& remote,
                                     const std::filesystem::path& local) {
  download_file(*world_, id_, *ids_, remote, local);
}

Snapshot MemorySession::do_create_snapshot() {
  Snapshot snapshot;
  snapshot.ref = "snap-" + ids_->hex(kRefDigits);
  world_->save(id_, snapshot.ref);
  snapshot.metadata["session_id"] = id_;
  return snapshot;
}

}  // namespace sandproof::memory

// SPDX-License-Identifier: Apache-2.0
// Environments and snapshots. See world.h.
#include "flavors/memory/world.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "flavors/memory/box_file.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::memory {
namespace {

using machine::Machine;

constexpr std::string_view kStopped = "stopped";

constexpr std::string_view kDefaultWorkdir = "/workspace";

[[noreturn]] void fail_lost(const std::string& id, const std::string& how) {
  throw SandboxLostError("the environment of session " + id + " is " + how +
                         "; create another session");
}

std::size_t size_setting(const Settings& settings, std::string_view name) {
  return static_cast<std::size_t>(setting<std::int64_t>(settings, name));
}

std::string joined_command(const machine::ProcessInfo& process) {
  std::string text;
  for (const std::string& word : process.argv) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

machine::Caller Box::caller(Machine& machine) const {
  return {.uid = image.user.uid,
          .gid = image.user.gid,
          .groups = image.user.groups,
          .pid = 0,
          .now = machine.clock().wall().count()};
}

World::World(std::span<const machine::ProgramRow> programs,
             std::shared_ptr<const machine::PluggedPrograms> plugged)
    : programs_(programs), plugged_(std::move(plugged)) {}

World::~World() {
  if (!loop_) return;
  loop_->stop();
  // What is left of boxes holds files, none of it in use any more.
}

machine::HostLoop& World::loop() {
  std::call_once(started_, [this] {
    machine::MachineOptions options;
    options.programs = programs_;
    loop_ = std::make_unique<machine::HostLoop>(options);
  });
  return *loop_;
}

const machine::Image& World::profile_image(Machine& machine, const std::string& name) {
  const auto known = images_.find(name);
  if (known != images_.end()) return known->second;
  const machine::ImageProfile* const profile = machine::find_image_profile(name);
  // The settings were checked: it is one of the table.
  if (profile == nullptr) throw std::logic_error("there is no image profile " + name);
  const machine::Strings more = plugged_ ? plugged_->names() : machine::Strings();
  return images_[name] =
             machine::make_image(*profile, programs_, more, machine.clock().wall().count());
}

Box World::make(Machine& machine, const std::string& id, Blueprint blueprint, const Saved* from) {
  const Settings& settings = blueprint.settings;
  Box box;
  box.image = profile_image(machine, setting<std::string>(settings, "image"));
  if (from != nullptr) box.image.root = from->files;
  machine::BoxOptions options;
  options.hostname = id;
  options.init = machine::Init::kReaps;
  options.plugged = plugged_;
  options.process_limit = size_setting(settings, "processes");
  options.pipe_capacity = size_setting(settings, "pipe_capacity");
  options.pid_max = static_cast<machine::Pid>(setting<std::int64_t>(settings, "pid_max"));
  machine::ImageBoxLimits limits;
  limits.bytes = size_setting(settings, "disk");
  box.parts = machine::make_image_box(machine, box.image, std::move(options), limits);
  box.workdir = setting<std::string>(settings, "workdir");
  if (box.workdir.empty()) box.workdir = kDefaultWorkdir;
  box.blueprint = std::move(blueprint);
  const bool kept = from != nullptr && from->workdir.has_value();
  const machine::Errno made =
      make_workdir(machine, box, kept ? &*from->workdir : nullptr, limits.bytes);
  if (made != machine::Errno::kOk) {
    end(machine, box);
    throw BackendError("the environment of session " + id + " cannot have the working directory " +
                       quote_word(box.workdir) + ": " + std::string(machine::text_of(made)) +
                       "; name another one with the setting workdir");
  }
  return box;
}

void World::create(const std::string& id, Blueprint blueprint, const std::string& from) {
  const auto& workdir = setting<std::string>(blueprint.settings, "workdir");
  if (!workdir.empty() && workdir.front() != '/') {
    throw InvalidArgumentError("the setting workdir must be an absolute path, not " +
                               quote_word(workdir));
  }
  const bool fails = failing_starts_.load() > 0 && failing_starts_.fetch_sub(1) > 0;
  loop().call([&](Machine& machine) {
    const auto saved = from.empty() ? snapshots_.end() : snapshots_.find(from);
    if (saved == snapshots_.end() && !from.empty()) {
      throw NotFoundError("the snapshot " + from + " is gone");
    }
    Box box = make(machine, id, std::move(blueprint), from.empty() ? nullptr : &saved->second);
    if (fails) {
      end(machine, box);
      throw BackendError("the environment of " + id + " did not become ready (injected)");
    }
    boxes_.emplace(id, std::move(box));
  });
}

void World::end(Machine& machine, Box& box) {
  if (box.parts.box != nullptr) machine.remove_box(*std::exchange(box.parts.box, nullptr));
}

void World::destroy(const std::string& id) {
  loop().call([&](Machine& machine) {
    const auto found = boxes_.find(id);
    if (found == boxes_.end()) return;
    end(machine, found->second);
    boxes_.erase(found);
  });
}

void World::stop(const std::string& id) {
  loop().call([&](Machine& machine) {
    const auto found = boxes_.find(id);
    if (found == boxes_.end()) return;
    end(machine, found->second);
    found->second.ended = kStopped;
  });
}

Box& World::running_box(const std::string& id) {
  const auto found = boxes_.find(id);
  if (found == boxes_.end()) fail_lost(id, "gone");
  if (!found->second.running()) fail_lost(id, found->second.ended);
  // A command may have ended what everything hangs on: the init of its box.
  if (found->second.parts.box->init() == nullptr) fail_lost(id, "without its init");
  return found->second;
}

std::optional<World::Whose> World::find(const std::string& id) {
  return loop().call([&](Machine&) -> std::optional<Whose> {
    const auto found = boxes_.find(id);
    if (found == boxes_.end()) return std::nullopt;
    return Whose{found->second.blueprint.component_id, found->second.ended};
  });
}

void World::save(const std::string& id, const std::string& ref) {
  with_box(id, [&](Machine&, Box& box) {
    Saved saved{box.blueprint, box.parts.root->snapshot(), std::nullopt};
    if (box.workdir_volume) saved.workdir = box.workdir_volume->snapshot();
    snapshots_[ref] = std::move(saved);
  });
}

std::optional<Blueprint> World::find_snapshot(const std::string& ref) {
  return loop().call([&](Machine&) -> std::optional<Blueprint> {
    const auto found = snapshots_.find(ref);
    if (found == snapshots_.end()) return std::nullopt;
    return found->second.blueprint;
  });
}

void World::remove_snapshot(const std::string& ref) {
  loop().call([&](Machine&) { snapshots_.erase(ref); });
}

std::vector<machine::ProcessInfo> World::processes(const std::string& id) {
  return loop().call([&](Machine& machine) {
    const auto found = boxes_.find(id);
    if (found == boxes_.end() || !found->second.running()) {
      return std::vector<machine::ProcessInfo>();
    }
    return machine.processes(*found->second.parts.box);
  });
}

std::vector<std::string> World::census(const std::string& component_id) {
  return loop().call([&](Machine& machine) {
    std::vector<std::string> lines;
    for (const auto& [id, box] : boxes_) {
      if (box.blueprint.component_id != component_id) continue;
      lines.push_back("environment " + id);
      if (!box.running()) continue;
      for (const machine::ProcessInfo& process : machine.processes(*box.parts.box)) {
        if (process.pid == machine::Box::kInitPid) continue;
        lines.push_back("process " + id + " " + std::to_string(process.pid) + " " +
                        joined_command(process));
      }
    }
    for (const auto& [ref, saved] : snapshots_) {
      if (saved.blueprint.component_id == component_id) lines.push_back("snapshot " + ref);
    }
    return lines;
  });
}

}  // namespace sandproof::memory

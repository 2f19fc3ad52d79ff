// SPDX-License-Identifier: Apache-2.0
// A sandbox of the memory flavor for tests, over a table of a few programs: enough to see a command
// start, talk, fork and end.
#pragma once

#include <memory>
#include <string>

#include "fakes/machine/program.h"
#include "flavors/memory/memory_flavor.h"
#include "sandproof/sandbox.h"
#include "sandproof/session.h"

namespace sandproof::memory::test {

/// cat, env, exit N, false, hold (sleeps until a signal), pwd, say WORDS, save FILE (its input),
/// stubborn (ignores TERM), tree (forks a hold into another session), true, yes.
std::span<const machine::ProgramRow> few_programs();

struct MemoryWorld {
  explicit MemoryWorld(std::shared_ptr<const machine::PluggedPrograms> plugged = nullptr)
      : world(std::make_shared<World>(few_programs(), std::move(plugged))) {}

  std::unique_ptr<Sandbox> sandbox(const std::string& component_id = "tests/memory",
                                   const Settings& settings = {}) const;

  std::shared_ptr<World> world;
};

/// Of a command that was run to its end.
struct Ran {
  std::string out;
  std::string err;
  std::string status;  // As ExitStatus::to_string().
};
Ran run(Session& session, Command command, ExecOptions options = {});

}  // namespace sandproof::memory::test

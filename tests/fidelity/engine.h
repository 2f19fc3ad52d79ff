// SPDX-License-Identifier: Apache-2.0
// What runs a row: a shell with its programs.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/fidelity/row.h"

namespace sandproof::fidelity {

// Runs scripts. Thread-safe: rows run in parallel.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;

  // Runs `sh -c script` with `input` on a pipe as its standard input, in a fresh empty directory,
  // with umask 022 and the environment PATH, HOME=/home/user (which is not there), LC_ALL=C,
  // TZ=UTC. In what it printed, the directory's path is written <dir>. A run that has not ended, or
  // whose output somebody still holds open, after ten seconds is killed and has the status "time
  // limit". Throws EngineError when it cannot run anything.
  virtual Result run(const std::string& script, const std::string& input) = 0;
};

// The engine is not there or cannot start anything; the text says which, and what to do.
class EngineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The engine that is not real: the machine, which is to do as dash with busybox's programs does.
inline constexpr std::string_view kMachine = "machine";

// Dash or busybox.
bool is_real_engine(std::string_view name);

// A real shell in `scratch` (an empty directory, which the engine fills with links to busybox's
// programs): `dash` is dash with busybox's programs, `busybox` is busybox alone. As root, scripts
// run as nobody, so that permissions mean something. Throws EngineError.
std::unique_ptr<Engine> make_real_engine(std::string_view name,
                                         const std::filesystem::path& scratch);

}  // namespace sandproof::fidelity

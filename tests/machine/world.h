// SPDX-License-Identifier: Apache-2.0
// A machine with one box for tests: time is manual, and processes are bodies written in the test.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/machine/devices.h"
#include "fakes/machine/machine.h"

namespace sandproof::machine {

class World {
 public:
  explicit World(MachineOptions options = {}, BoxOptions box_options = {})
      : machine(clock, options), box(machine.make_box(std::move(box_options))) {}

  /// Starts it, without running it.
  std::shared_ptr<const Launch> start(ProcessBody body, std::vector<FilePtr> files = {}) {
    Start start;
    start.argv = {"test"};
    start.body = std::move(body);
    start.files = std::move(files);
    Result<std::shared_ptr<const Launch>> launch = machine.start(box, std::move(start));
    EXPECT_EQ(launch.error(), Errno::kOk);
    return launch ? *launch : std::make_shared<Launch>(nullptr);
  }
  /// Runs it until nothing can go on: its status, or nothing if it waits.
  std::optional<WaitStatus> run(ProcessBody body, std::vector<FilePtr> files = {}) {
    const std::shared_ptr<const Launch> launch = start(std::move(body), std::move(files));
    machine.run_until_idle();
    return launch->status();
  }
  /// As /proc shows it: 'R', 'S', 'T', 'Z'; '-' where there is none.
  char state(Pid pid) const {
    for (const ProcessInfo& process : machine.processes(box)) {
      if (process.pid == pid) return process.state;
    }
    return '-';
  }

  ManualClock clock;
  Machine machine;
  Box& box;
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// All that comes until the end of the file, read `chunk` bytes at a time; stops at an error.
inline Task<std::string> read_to_end(Process& self, int fd, std::size_t chunk = 4096) {
  std::string all;
  std::string buffer(chunk, '\0');
  for (;;) {
    const Result<std::size_t> count =
        co_await self.read(fd, std::as_writable_bytes(std::span(buffer)));
    if (!count || *count == 0) co_return all;
    all.append(buffer, 0, *count);
  }
}

}  // namespace sandproof::machine

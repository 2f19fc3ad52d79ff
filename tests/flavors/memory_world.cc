// SPDX-License-Identifier: Apache-2.0
// See memory_world.h.
#include "tests/flavors/memory_world.h"

#include <array>

#include "sandproof/flavor.h"
#include "sandproof/output.h"
#include "sandproof/process.h"

namespace sandproof::memory::test {
namespace {

using machine::OpenOptions;
using machine::Process;
using machine::Result;
using machine::Signal;
using machine::Task;

Task<int> few_copy(Process& self, int from, int to) {
  std::string buffer(65536, '\0');
  for (;;) {
    const auto count = co_await self.read(from, std::as_writable_bytes(std::span(buffer)));
    if (!count || *count == 0) co_return count ? 0 : 1;
    const auto put = co_await self.write(to, std::string_view(buffer).substr(0, *count));
    if (!put) co_return 1;
  }
}

Task<int> few_cat(Process& self) {
  if (self.argv().size() < 2) co_return co_await few_copy(self, 0, 1);
  const OpenOptions to_read = {.flags = {.read = true}};
  const Result<int> fd = co_await self.open(self.argv()[1], to_read);
  if (!fd) {
    const std::string message = "cat: " + std::string(machine::text_of(fd.error())) + "\n";
    (void)co_await self.write(2, message);
    co_return 1;
  }
  co_return co_await few_copy(self, *fd, 1);
}

Task<int> few_env(Process& self) {
  for (const std::string& one : self.env()) (void)co_await self.write(1, one + "\n");
  co_return 0;
}

Task<int> few_exit(Process& self) { co_return std::stoi(self.argv().at(1)); }
Task<int> few_false(Process&) { co_return 1; }
Task<int> few_true(Process&) { co_return 0; }

Task<int> few_hold(Process& self) {
  (void)co_await self.pause();
  co_return 0;
}

Task<int> few_pwd(Process& self) {
  (void)co_await self.write(1, self.getcwd().value_or("?") + "\n");
  co_return 0;
}

Task<int> few_say(Process& self) {
  std::string line;
  for (std::size_t i = 1; i < self.argv().size(); ++i) {
    line += (i > 1 ? " " : "") + self.argv()[i];
  }
  (void)co_await self.write(1, line + "\n");
  co_return 0;
}

Task<int> few_save(Process& self) {
  const OpenOptions to_make = {.flags = {.write = true, .create = true, .truncate = true}};
  const Result<int> fd = co_await self.open(self.argv().at(1), to_make);
  if (!fd) co_return 2;
  co_return co_await few_copy(self, 0, *fd);
}

Task<int> few_stubborn(Process& self) {
  (void)self.set_disposition(Signal::kTerm, machine::Disposition::kIgnore);
  (void)co_await self.write(1, "up\n");
  (void)co_await self.pause();
  co_return 0;
}

Task<int> few_tree(Process& self) {
  const auto child = [](Process& inner) -> Task<int> {
    (void)inner.new_session();
    (void)inner.fork(few_hold);
    co_return 0;
  };
  (void)self.fork(child);
  (void)co_await self.wait_child();
  (void)co_await self.write(1, "up\n");
  (void)co_await self.pause();
  co_return 0;
}

Task<int> few_yes(Process& self) {
  const std::string lines(8192, 'y');
  for (;;) {
    const Result<std::size_t> count = co_await self.write(1, lines);
    if (!count) co_return 1;
  }
}

constexpr std::array kFewPrograms = {
    machine::ProgramRow{"cat", few_cat},           machine::ProgramRow{"env", few_env},
    machine::ProgramRow{"exit", few_exit},         machine::ProgramRow{"false", few_false},
    machine::ProgramRow{"hold", few_hold},         machine::ProgramRow{"pwd", few_pwd},
    machine::ProgramRow{"say", few_say},           machine::ProgramRow{"save", few_save},
    machine::ProgramRow{"stubborn", few_stubborn}, machine::ProgramRow{"tree", few_tree},
    machine::ProgramRow{"true", few_true},         machine::ProgramRow{"yes", few_yes},
};

}  // namespace

std::span<const machine::ProgramRow> few_programs() { return kFewPrograms; }

std::unique_ptr<Sandbox> MemoryWorld::sandbox(const std::string& component_id,
                                              const Settings& settings) const {
  SandboxOptions options;
  options.component_id = component_id;
  options.settings = settings;
  return make_sandbox(memory_flavor(world), std::move(options));
}

Ran run(Session& session, Command command, ExecOptions options) {
  const auto process = session.exec(std::move(command), std::move(options));
  const Output output = process->collect();
  return {output.out, output.err, process->wait().to_string()};
}

}  // namespace sandproof::memory::test

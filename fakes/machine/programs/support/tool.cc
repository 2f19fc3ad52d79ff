// SPDX-License-Identifier: Apache-2.0
// Names and messages.
#include "fakes/machine/programs/support/tool.h"

#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {

Tool::Tool(Process& process, const Usage& its_usage)
    : self(process),
      usage(its_usage),
      name(base_name(process.argv().empty() ? std::string_view() : process.argv().front())),
      out(process, 1) {}

Task<void> Tool::write_error(std::string text) {
  (void)co_await out.flush();
  (void)co_await write_all(self, 2, text);
}

Task<void> Tool::say(std::string text) {
  const std::string line = name + ": " + text + "\n";
  co_await write_error(line);
}

Task<void> Tool::fail(std::string text) {
  status = usage.failure;
  co_await say(std::move(text));
}

Task<void> Tool::fail(std::string what, Errno error) {
  what += ": ";
  what += text_of(error);
  co_await fail(std::move(what));
}

Task<int> Tool::show_usage(int with_status) {
  const std::string text =
      "BusyBox v1.35.0 (sandproof machine) multi-call binary.\n\nUsage: " + name + " " +
      std::string(usage.text) + "\n";
  co_await write_error(text);
  co_return with_status;
}

Task<int> Tool::finish() {
  const bool written = co_await out.flush();
  if (!written) {
    const std::string why = "standard output: " + std::string(text_of(out.error()));
    co_await say(why);
  }
  co_return status;
}

}  // namespace sandproof::machine::programs

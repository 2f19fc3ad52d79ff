// SPDX-License-Identifier: Apache-2.0
// A program that is a function of the embedder; see plugged_programs.h.
#include <exception>
#include <memory>
#include <utility>

#include "fakes/machine/plugged/plugged_programs.h"

namespace sandproof::machine {
namespace {

using ProgramFunction = std::function<ProgramAnswer(const ProgramCall&)>;

Task<Result<std::string>> read_all_input(Process& self) {
  constexpr std::size_t kAtOnce = 65536;
  std::string all;
  std::string buffer(kAtOnce, '\0');
  for (;;) {
    const Result<std::size_t> count =
        co_await self.read(0, std::as_writable_bytes(std::span(buffer)));
    if (!count) co_return count.error();
    if (*count == 0) co_return std::move(all);
    if (all.size() + *count > kProgramInputMax) co_return Errno::kFbig;
    all.append(buffer, 0, *count);
  }
}

Task<int> call_function(Process& self, std::shared_ptr<const ProgramFunction> function,
                        ProgramInput input) {
  ProgramCall call{
      .argv = self.argv(), .env = self.env(), .cwd = self.getcwd().value_or("/"), .input = {}};
  if (input == ProgramInput::kReadToEnd) {
    Result<std::string> read = co_await read_all_input(self);
    if (!read) {
      const std::string message = self.argv().front() +
                                  ": cannot read the input: " + std::string(text_of(read.error())) +
                                  "\n";
      (void)co_await self.write(2, message);
      co_return 1;
    }
    call.input = *std::move(read);
  }
  ProgramAnswer answer;
  bool threw = false;
  try {
    answer = (*function)(call);
  } catch (const std::exception& error) {
    answer.err = self.argv().front() + ": the callback threw: " + error.what() + "\n";
    threw = true;
  }
  if (!answer.out.empty()) (void)co_await self.write(1, answer.out);
  if (!answer.err.empty()) (void)co_await self.write(2, answer.err);
  if (threw) (void)co_await self.kill(self.pid(), Signal::kAbrt);
  co_return answer.status;
}

}  // namespace

ProcessBody callback_program(ProgramFunction function, ProgramInput input) {
  auto shared = std::make_shared<const ProgramFunction>(std::move(function));
  return [shared, input](Process& self) { return call_function(self, shared, input); };
}

}  // namespace sandproof::machine

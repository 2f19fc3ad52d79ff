// SPDX-License-Identifier: Apache-2.0
// `kill`: processes, groups and jobs.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

constexpr std::string_view kKillUsage =
    "Usage: kill [-s sigspec | -signum | -sigspec] [pid | job]... or\nkill -l [exitstatus]";

}  // namespace

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace kill_detail {

// What the words before the processes ask for.
struct KillRequest {
  std::optional<int> signal;
  bool lists = false;
  std::size_t operand = 1;
};

}  // namespace kill_detail

namespace {

using kill_detail::KillRequest;

Task<KillRequest> read_kill_request(Shell& shell, const Strings& words) {
  KillRequest request;
  if (words.size() < 2) co_await shell.fail(std::string(kKillUsage));
  if (!words[1].starts_with('-')) co_return request;
  request.signal = trap_number(std::string_view(words[1]).substr(1));
  if (request.signal && words[1] != "-EXIT") {
    request.operand = 2;
    co_return request;
  }
  request.signal.reset();
  OptionReader options(words, "ls:");
  while (const char letter = co_await options.next(shell)) {
    if (letter == 'l') {
      request.lists = true;
      continue;
    }
    request.signal = trap_number(options.argument());
    if (!request.signal) {
      co_await shell.fail("invalid signal number or name: " + options.argument());
    }
  }
  request.operand = options.operand();
  co_return request;
}

Task<int> list_signals(Shell& shell, const Strings& words, std::size_t at) {
  if (at == words.size()) {
    std::string text = "0\n";
    for (int number = 1; number <= kLastSignal; ++number) {
      text += name_of(static_cast<Signal>(number)) + "\n";
    }
    co_await shell.put(std::move(text));
    co_return 0;
  }
  int number = co_await number_of(shell, words[at]);
  if (number > kStatusSignal) number -= kStatusSignal;
  if (!is_signal(number)) {
    co_await shell.fail("invalid signal number or exit status: " + words[at]);
  }
  co_await shell.put(name_of(static_cast<Signal>(number)) + "\n");
  co_return 0;
}

Task<Pid> target_of(Shell& shell, std::string word) {
  if (word.starts_with('%')) {
    const Job* const job = co_await job_of(shell, word);
    co_return job->own_group ? -job->leader() : job->leader();
  }
  if (word.starts_with('-')) co_return -co_await number_of(shell, word.substr(1));
  co_return co_await number_of(shell, word);
}

}  // namespace

Task<int> kill_builtin(Shell& shell, Strings words) {
  const KillRequest request = co_await read_kill_request(shell, words);
  const bool any = request.operand < words.size();
  if (request.lists) co_return co_await list_signals(shell, words, request.operand);
  if (!any) co_await shell.fail(std::string(kKillUsage));
  int status = 0;
  for (std::size_t at = request.operand; at < words.size(); ++at) {
    const Pid target = co_await target_of(shell, words[at]);
    const int number = request.signal.value_or(static_cast<int>(Signal::kTerm));
    const Result<void> sent = co_await shell.process.kill(target, number);
    if (sent) continue;
    // An empty line follows, as from dash.
    co_await shell.warn(std::string(text_of(sent.error())) + "\n");
    status = 1;
  }
  co_return status;
}

}  // namespace sandproof::machine::shell

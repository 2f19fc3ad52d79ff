// SPDX-License-Identifier: Apache-2.0
// The process that knows only the configuration (elsewhere.h): reads one request, does it with a
// sandbox of its own, answers, ends. One thread of its own.
#include <fcntl.h>
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "conformance/runner/elsewhere.h"
#include "conformance/runner/line_reader.h"
#include "conformance/runner/run.h"
#include "conformance/runner/system.h"
#include "conformance/runner/type_name.h"
#include "sandproof/flavor.h"

namespace sandproof::conformance::runner {
namespace {

// Per stream, so that the answer fits into one line between processes.
constexpr std::int64_t kMostChars = 64 * 1024;

std::unique_ptr<Sandbox> sandbox_for(const Suite& suite, const ElsewhereRequest& request,
                                     std::atomic<std::uint64_t>& fired) {
  const Binding* const binding = suite.find_binding(request.flavor);
  if (binding == nullptr) throw RunnerError("there is no flavor " + request.flavor);
  const Mutant* const mutant = request.mutant.empty() ? nullptr : suite.find_mutant(request.mutant);
  std::shared_ptr<Trigger> trigger;
  if (mutant != nullptr) trigger = std::make_shared<Trigger>(fired, mutant->first, mutant->times);
  SandboxOptions options;
  options.component_id = request.component;
  options.settings = binding->flavor.settings.from_json(request.settings_json);
  if (mutant != nullptr && mutant->wrap_hooks) {
    options.decorate_hooks = [mutant, trigger](std::unique_ptr<SandboxHooks> hooks) {
      return mutant->wrap_hooks(std::move(hooks), trigger);
    };
  }
  std::unique_ptr<Sandbox> made = make_sandbox(binding->flavor, std::move(options));
  if (mutant != nullptr && mutant->wrap) made = mutant->wrap(std::move(made), trigger);
  return made;
}

void answer_and_die(Sandbox& sandbox, const ElsewhereRequest& request, ElsewhereAnswer& answer,
                    const std::atomic<std::uint64_t>& fired, int answer_fd) {
  const std::unique_ptr<Session> session = sandbox.create_session();
  answer.result.session_id = session->id();
  const std::unique_ptr<Process> process = session->exec(request.argv);
  answer.result.outcome = "ok";
  answer.fired = fired;
  (void)write_all(answer_fd, to_json_line(answer));
  ::kill(::getpid(), SIGKILL);
}

void perform(const Suite& suite, const ElsewhereRequest& request, ElsewhereAnswer& answer,
             std::atomic<std::uint64_t>& fired, int answer_fd) {
  const std::unique_ptr<Sandbox> sandbox = sandbox_for(suite, request, fired);
  if (request.operation == "die") {
    return answer_and_die(*sandbox, request, answer, fired, answer_fd);
  }
  const bool restores = request.operation == "restore";
  const std::unique_ptr<Session> session =
      restores ? sandbox->restore(snapshot_from_json(request.snapshot_json))
               : sandbox->attach(request.session_id);
  answer.result.session_id = session->id();
  CollectOptions options;
  options.max_chars = kMostChars;
  answer.result.output = session->exec(request.argv)->collect(options);
  if (restores) session->destroy();
  answer.result.outcome = "ok";
}

// The answer goes out on a descriptor that no command inherits and nothing else prints to.
UniqueFd take_over_output() {
  UniqueFd answers(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  // no-cloexec: a standard descriptor.
  if (!answers || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw_system_error("cannot take over the standard output");
  }
  return answers;
}

int serve(const Suite& suite) {
  std::string line;
  LineReader reader;
  while (line.empty()) {
    const LineReader::State state =
        reader.read(STDIN_FILENO, 1, [&](std::string_view text) { line = std::string(text); });
    if (state == LineReader::State::kEnd) break;
  }
  if (line.empty()) throw RunnerError("there is no request on the standard input");
  const ElsewhereRequest request = request_from_json(line);
  const UniqueFd answers = take_over_output();
  std::atomic<std::uint64_t> fired{0};
  ElsewhereAnswer answer;
  try {
    perform(suite, request, answer, fired, answers.get());
  } catch (const std::exception& error) {
    answer.result.outcome = type_name(error);
    answer.result.error = error.what();
  }
  answer.fired = fired;
  return write_all(answers.get(), to_json_line(answer)) ? 0 : 1;
}

}  // namespace

int elsewhere_main(const Suite& suite) {
  try {
    return serve(suite);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sandproof: elsewhere: %s\n", error.what());
    return 5;
  }
}

}  // namespace sandproof::conformance::runner

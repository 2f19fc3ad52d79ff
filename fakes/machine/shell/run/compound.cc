// SPDX-License-Identifier: Apache-2.0
// One command of any kind, and the compound ones.
#include <algorithm>

#include "fakes/machine/shell/expand/pattern.h"
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

Task<int> Shell::run_command(std::shared_ptr<const Command> command, RunMode mode) {
  co_await process.yield_point();
  co_await run_traps();
  if (flow != Flow::kNone) co_return state.status;
  const DepthGuard guard(*this);
  if (!guard.fits()) {
    co_await fail("Maximum recursion depth (" + std::to_string(kMaxRunDepth) + ") reached");
  }
  int status = 0;
  if (std::holds_alternative<SimpleCommand>(command->node)) {
    status = co_await run_simple(command, mode);
    end_on_error(status, mode);
  } else if (std::holds_alternative<Subshell>(command->node)) {
    status = co_await run_subshell(command, mode);
    end_on_error(status, mode);
  } else if (command->redirections.empty()) {
    status = co_await run_compound(*command, mode);
  } else {
    state.line = command->line;
    SavedFds saved;
    status = co_await redirect(command->redirections, &saved);
    mode.last = false;
    if (status != 0) {
      end_on_error(status, mode);
    } else {
      // The descriptors come back also where an error ends what is inside, and is caught outside.
      std::exception_ptr error;
      try {
        status = co_await run_compound(*command, mode);
      } catch (const ShellError&) {
        error = std::current_exception();
      }
      undo(saved);
      if (error) std::rethrow_exception(error);
    }
  }
  state.status = status;
  if (flow == Flow::kNone) co_await run_traps();
  co_return flow == Flow::kNone ? status : state.status;
}

Task<int> Shell::run_compound(const Command& command, RunMode mode) {
  if (const auto* group = std::get_if<BraceGroup>(&command.node)) {
    return run_list(*group->list, mode);
  }
  if (const auto* node = std::get_if<If>(&command.node)) return run_if(*node, mode);
  state.line = command.line;
  if (const auto* node = std::get_if<For>(&command.node)) return run_for(*node, mode);
  if (const auto* node = std::get_if<While>(&command.node)) return run_while(*node, mode);
  if (const auto* node = std::get_if<Case>(&command.node)) return run_case(*node, mode);
  return define_function(std::get<FunctionDefinition>(command.node));
}

Task<int> Shell::define_function(const FunctionDefinition& definition) {
  state.functions[definition.name] = definition.body;
  co_return 0;
}

Task<int> Shell::run_if(const If& node, RunMode mode) {
  for (const If::Arm& arm : node.arms) {
    const int condition = co_await run_list(*arm.condition, {.tested = true, .last = false});
    if (flow != Flow::kNone) co_return condition;
    if (condition == 0) co_return co_await run_list(*arm.body, mode);
  }
  if (node.otherwise != nullptr) co_return co_await run_list(*node.otherwise, mode);
  co_return 0;
}

bool Shell::leaves_loop() {
  if (flow == Flow::kNone) return false;
  if (flow != Flow::kBreak && flow != Flow::kContinue) return true;
  if (--flow_levels > 0) return true;
  const bool breaks = flow == Flow::kBreak;
  flow = Flow::kNone;
  return breaks;
}

Task<int> Shell::run_for(const For& node, RunMode mode) {
  Strings words;
  if (node.has_words) {
    for (const Word& word : node.words) co_await expand_into(word, words);
  } else {
    words = state.positional;
  }
  const RunMode inner{.tested = mode.tested, .last = false};
  int status = 0;
  ++state.loops;
  for (std::string& word : words) {
    co_await process.yield_point();
    co_await assign(node.variable, std::move(word));
    status = co_await run_list(*node.body, inner);
    if (leaves_loop()) break;
  }
  state.loops = std::max(state.loops - 1, 0);
  co_return status;
}

Task<int> Shell::run_while(const While& node, RunMode mode) {
  const RunMode inner{.tested = mode.tested, .last = false};
  int status = 0;
  ++state.loops;
  for (;;) {
    const int condition = co_await run_list(*node.condition, {.tested = true, .last = false});
    if (flow != Flow::kNone) {
      const bool returns = flow == Flow::kReturn || flow == Flow::kExit;
      if (returns) status = condition;
      if (leaves_loop()) break;
      continue;
    }
    if ((condition == 0) == node.until) break;
    status = co_await run_list(*node.body, inner);
    if (leaves_loop()) break;
  }
  state.loops = std::max(state.loops - 1, 0);
  co_return status;
}

Task<int> Shell::run_case(const Case& node, RunMode mode) {
  const std::string subject = co_await expand_text(node.subject);
  for (const Case::Item& item : node.items) {
    for (const Word& word : item.patterns) {
      const std::string pattern = co_await expand_pattern(word);
      if (!Pattern(pattern).matches(subject)) continue;
      // An arm with nothing in it succeeds.
      if (item.body->items.empty()) co_return 0;
      co_return co_await run_list(*item.body, mode);
    }
  }
  co_return 0;
}

Task<int> Shell::run_subshell(std::shared_ptr<const Command> command, RunMode mode) {
  state.line = command->line;
  SubshellBody body = [command, tested = mode.tested](Shell& shell) {
    return shell.run_subshell_body(command, tested);
  };
  if (mode.last && !has_traps()) {
    state.subshell = true;
    state.jobs.clear();
    co_return co_await run_subshell_body(command, mode.tested);
  }
  co_return co_await run_in_child(std::move(body));
}

Task<int> Shell::run_subshell_body(std::shared_ptr<const Command> command, bool tested) {
  const int failed = co_await redirect(command->redirections, nullptr);
  if (failed != 0) co_return failed;
  const RunMode last{.tested = tested, .last = true};
  co_return co_await run_list(*std::get<Subshell>(command->node).list, last);
}

}  // namespace sandproof::machine::shell

// SPDX-License-Identifier: Apache-2.0
// Rounds of mutants; see mutant_rounds.h.
#include "conformance/program/mutant_rounds.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/program/output_options.h"
#include "conformance/report/failure_text.h"
#include "conformance/report/mutant_progress.h"

namespace sandproof::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// Enough to keep the workers busy, few enough that a budget and an interruption are heeded soon.
constexpr std::size_t kRound = 40;
/// A mutant that hangs has shown it after this; the full limit of a case would cost 20 s each.
constexpr std::chrono::milliseconds kHangingLimit{3'000};
/// Lines on something that is no terminal.
constexpr std::chrono::seconds kPlainPause{5};

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// What a case said, in a line.
std::string message_of(const CaseResult& result) {
  if (!result.failures.empty()) {
    const FailedAssertion& failure = result.failures.front();
    return fmt::format("{}: {}", place_text(failure.file, failure.line),
                       first_line(failure.message));
  }
  if (!result.reason.empty()) return first_line(result.reason);
  return is_failure(result.outcome) ? ending_text(result) : std::string();
}

}  // namespace

MutantRounds::MutantRounds(const ProgramContext& context, std::vector<MutantPlan> plans,
                           MutantRunOptions options)
    : context_(context), plans_(std::move(plans)), options_(std::move(options)) {
  report_.version = context.version;
  for (const MutantPlan& plan : plans_) {
    MutantResult result;
    result.name = plan.mutant->name;
    result.rule = plan.mutant->rule;
    result.what = plan.mutant->what;
    result.bug = plan.mutant->bug;
    result.killed_by = plan.mutant->killed_by;
    if (plan.binding != nullptr) result.binding = plan.binding->name();
    report_.mutants.push_back(std::move(result));
  }
}

std::size_t MutantRounds::cases_of(const MutantPlan& plan) const {
  return plan.own.size() + plan.others.size();
}

bool MutantRounds::is_killed(std::size_t plan) const {
  const MutantResult& mutant = report_.mutants[plan];
  return std::any_of(mutant.cases.begin(), mutant.cases.end(),
                     [&mutant](const MutantCase& result) { return kills(mutant, result); });
}

int MutantRounds::run(const std::function<int(const MutantReport&)>& finish) {
  finish_ = finish;
  begun_ = told_ = Clock::now();
  std::deque<Pending> queue;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].binding != nullptr) {
      queue.push_back({i, 0});
    } else {
      ++decided_;
    }
  }
  while (!queue.empty()) {
    if (options_.budget && Clock::now() - begun_ > *options_.budget) {
      report_.interrupted = fmt::format("the budget of {} s is spent", options_.budget->count());
      return finish_(finished_report());
    }
    std::vector<Pending> now;
    while (!queue.empty() && now.size() < kRound) {
      now.push_back(queue.front());
      queue.pop_front();
    }
    if (!round(now)) return finish_(finished_report());
    for (const Pending& pending : now) {
      const std::size_t next = options_.full ? cases_of(plans_[pending.plan]) : pending.next + 1;
      if (is_killed(pending.plan)) {
        ++killed_;
        ++decided_;
      } else if (next < cases_of(plans_[pending.plan])) {
        queue.push_front({pending.plan, next});
      } else {
        ++decided_;
      }
    }
    tell(queue.empty());
  }
  healthy_round();
  return finish_(finished_report());
}

SelectedFlavor MutantRounds::selected(const Pending& pending) const {
  const MutantPlan& plan = plans_[pending.plan];
  SelectedFlavor flavor;
  flavor.binding = plan.binding;
  flavor.label = plan.mutant->name;
  flavor.mutant = plan.mutant->name;
  flavor.left_out_assertion = options_.left_out_assertion;
  flavor.check_refusals = false;
  if (plan.mutant->killed_by == KilledBy::kTimeout) flavor.limit_cap = kHangingLimit;
  if (options_.full) {
    flavor.cases = plan.own;
    flavor.cases.insert(flavor.cases.end(), plan.others.begin(), plan.others.end());
  } else {
    flavor.cases = {pending.next < plan.own.size() ? plan.own[pending.next]
                                                   : plan.others[pending.next - plan.own.size()]};
  }
  return flavor;
}

RunOptions MutantRounds::run_options(std::vector<SelectedFlavor> flavors) {
  RunOptions run;
  run.flavors = std::move(flavors);
  run.jobs = options_.jobs;
  run.seed = options_.seed;
  run.time_scale = options_.time_scale;
  run.filtered = true;
  run.argv = context_.argv;
  run.version = context_.version;
  const int fd = progress_descriptor();
  const double elapsed_ms =
      std::chrono::duration<double, std::milli>(Clock::now() - begun_).count();
  const auto progress = std::make_shared<MutantProgress>(
      fd, describe_terminal(fd, options_.color),
      MutantProgress::Base{report_.mutants.size(), decided_, killed_, elapsed_ms});
  run.progress = [progress](const nlohmann::json& event) { progress->take(event); };
  return run;
}

bool MutantRounds::guarded(std::vector<SelectedFlavor> flavors,
                           const std::function<void(const RunModel&)>& take) {
  const pid_t guard = ::getpid();
  const auto finish = [&](const std::filesystem::path& event_log) {
    const RunModel model = build_run_model(read_event_log(event_log));
    take(model);
    if (!model.complete) {
      report_.interrupted =
          model.interrupt_reason.empty() ? "the run was killed" : model.interrupt_reason;
    }
    // In the supervisor nothing comes after this: the guard is dead.
    return ::getpid() == guard ? 0 : finish_(finished_report());
  };
  const int code = run_guarded(*context_.suite, run_options(std::move(flavors)), finish);
  if (code != 0 && report_.interrupted.empty()) {
    report_.interrupted = fmt::format("a run of the suite ended with {}", code);
  }
  return report_.interrupted.empty();
}

bool MutantRounds::round(const std::vector<Pending>& pending) {
  std::vector<SelectedFlavor> flavors;
  for (const Pending& one : pending) flavors.push_back(selected(one));
  return guarded(std::move(flavors), [this](const RunModel& model) {
    for (const FlavorResult& flavor : model.flavors) take(flavor);
  });
}

void MutantRounds::take(const FlavorResult& flavor) {
  const auto mutant =
      std::find_if(report_.mutants.begin(), report_.mutants.end(),
                   [&flavor](const MutantResult& result) { return result.name == flavor.name; });
  if (mutant == report_.mutants.end()) return;
  for (const CaseResult& result : flavor.cases) {
    mutant->cases.push_back({result.name, result.rules, result.outcome, result.fired,
                             result.duration_ms, message_of(result)});
  }
}

bool MutantRounds::healthy_round() {
  // A case that fails anyway kills nothing: whatever decided a mutant has to pass without it.
  std::map<const Binding*, std::set<std::string_view>> names;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    for (const MutantCase& result : report_.mutants[i].cases) {
      if (is_failure(result.outcome)) names[plans_[i].binding].insert(result.name);
    }
  }
  std::vector<SelectedFlavor> flavors;
  for (const auto& [binding, wanted] : names) {
    SelectedFlavor flavor;
    flavor.binding = binding;
    flavor.check_refusals = false;
    for (const Case& test_case : *context_.suite->cases) {
      if (wanted.contains(test_case.name)) flavor.cases.push_back(&test_case);
    }
    flavors.push_back(std::move(flavor));
  }
  if (flavors.empty()) return true;
  return guarded(std::move(flavors), [this](const RunModel& model) {
    for (const FlavorResult& flavor : model.flavors) {
      for (const CaseResult& result : flavor.cases) {
        if (!is_failure(result.outcome)) continue;
        failing_healthy_[flavor.name].push_back(result.name);
        report_.failing_healthy.push_back(fmt::format("{} on {}", result.name, flavor.name));
      }
    }
  });
}

MutantReport MutantRounds::finished_report() {
  for (MutantResult& mutant : report_.mutants) classify(mutant, failing_healthy_[mutant.binding]);
  report_.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun_).count();
  return report_;
}

void MutantRounds::tell(bool now) {
  const int fd = progress_descriptor();
  const Terminal terminal = describe_terminal(fd, options_.color);
  // A terminal shows the progress of the round itself.
  if (terminal.live || (!now && Clock::now() - told_ < kPlainPause)) return;
  told_ = Clock::now();
  write_text(fd,
             fmt::format("{} of {} decided, {} killed, {} s\n", decided_,
                         count_text(report_.mutants.size(), "mutant"), killed_,
                         std::chrono::duration_cast<std::chrono::seconds>(told_ - begun_).count()));
}

}  // namespace sandproof::conformance

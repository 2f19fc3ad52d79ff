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

/// At the end of a round workers idle, so rounds are large; but a budget is heeded between them.
constexpr std::size_t kRound = 150;
/// Of the first stage: a case waits 3 s for what does not come, and passes in a tenth of that.
constexpr double kHurry = 0.25;
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

bool hangs(const Mutant& mutant) { return mutant.killed_by == KilledBy::kTimeout; }

/// The label of a healthy flavor: limits that are capped for a mutant are capped for it, too.
std::string healthy_label(const MutantPlan& plan) {
  return plan.binding->name() + (hangs(*plan.mutant) ? " (short limits)" : "");
}

double elapsed_ms(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

}  // namespace

MutantRounds::MutantRounds(const ProgramContext& context, std::vector<MutantPlan> plans,
                           MutantRunOptions options)
    : context_(context),
      plans_(std::move(plans)),
      options_(std::move(options)),
      decided_(plans_.size(), false) {
  report_.version = context.version;
  for (const MutantPlan& plan : plans_) {
    MutantResult result;
    result.name = plan.mutant->name;
    result.rule = plan.mutant->rule;
    result.what = plan.mutant->what;
    result.bug = plan.mutant->bug;
    result.killed_by = plan.mutant->killed_by;
    if (plan.binding != nullptr) result.binding = plan.binding->name();
    result.planned_cases = plan.own.size() + plan.others.size();
    report_.mutants.push_back(std::move(result));
  }
}

int MutantRounds::run(const std::function<int(const MutantReport&)>& finish) {
  finish_ = finish;
  begun_ = told_ = Clock::now();
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].binding != nullptr) left.push_back(i);
  }
  if (!options_.full) left = run_stage(left, {kHurry, false, false});
  if (report_.interrupted.empty()) left = run_stage(left, {1, true, options_.full});
  return finish_(finished_report());
}

std::vector<std::size_t> MutantRounds::run_stage(const std::vector<std::size_t>& plans,
                                                 const Stage& stage) {
  for (const std::size_t plan : plans) {
    report_.mutants[plan].cases.clear();
    decided_[plan] = false;
  }
  Failing failing;
  if (!run_rounds(plans, stage) || !run_healthy(plans, stage, failing)) return {};
  std::vector<std::size_t> left;
  for (const std::size_t plan : plans) {
    decide(plan, failing);
    if (report_.mutants[plan].state != MutantState::kKilled) left.push_back(plan);
  }
  // Some kills of the rounds may have turned out unsound.
  killed_ = static_cast<std::size_t>(std::count_if(
      report_.mutants.begin(), report_.mutants.end(),
      [](const MutantResult& mutant) { return mutant.state == MutantState::kKilled; }));
  if (!stage.others) return left;
  for (const auto& [label, names] : failing) {
    for (const std::string& name : names) {
      report_.failing_healthy.push_back(fmt::format("{} on {}", name, label));
    }
  }
  return {};
}

bool MutantRounds::run_rounds(const std::vector<std::size_t>& plans, const Stage& stage) {
  std::deque<Pending> queue;
  for (const std::size_t plan : plans) queue.push_back({plan, 0});
  while (!queue.empty()) {
    if (out_of_budget()) return false;
    const std::size_t size = std::min(queue.size(), kRound);
    const std::vector<Pending> now(queue.begin(), queue.begin() + static_cast<long>(size));
    queue.erase(queue.begin(), queue.begin() + static_cast<long>(size));
    if (!run_round(now, stage)) return false;
    for (const Pending& pending : now) {
      const std::size_t count = cases_of(plans_[pending.plan], stage);
      if (is_killed(pending.plan)) {
        ++killed_;
      } else if (!stage.full && pending.next + 1 < count) {
        queue.push_back({pending.plan, pending.next + 1});
      }
    }
    tell();
  }
  return true;
}

bool MutantRounds::out_of_budget() {
  if (!options_.budget || Clock::now() - begun_ <= *options_.budget) return false;
  report_.interrupted = fmt::format("the budget of {} s is spent", options_.budget->count());
  return true;
}

std::size_t MutantRounds::cases_of(const MutantPlan& plan, const Stage& stage) const {
  return plan.own.size() + (stage.others ? plan.others.size() : 0);
}

bool MutantRounds::is_killed(std::size_t plan) const {
  const MutantResult& mutant = report_.mutants[plan];
  return std::any_of(mutant.cases.begin(), mutant.cases.end(),
                     [&mutant](const MutantCase& result) { return kills(mutant, result); });
}

SelectedFlavor MutantRounds::selected(const Pending& pending, const Stage& stage) const {
  const MutantPlan& plan = plans_[pending.plan];
  SelectedFlavor flavor;
  flavor.binding = plan.binding;
  flavor.label = plan.mutant->name;
  flavor.mutant = plan.mutant->name;
  flavor.left_out_assertion = options_.left_out_assertion;
  flavor.check_refusals = false;
  if (hangs(*plan.mutant)) flavor.limit_cap = kHangingLimit;
  std::vector<const Case*> cases = plan.own;
  cases.insert(cases.end(), plan.others.begin(), plan.others.end());
  if (stage.full) {
    flavor.cases = std::move(cases);
  } else {
    flavor.cases = {cases.at(pending.next)};
  }
  return flavor;
}

bool MutantRounds::run_round(const std::vector<Pending>& pending, const Stage& stage) {
  std::vector<SelectedFlavor> flavors;
  for (const Pending& one : pending) flavors.push_back(selected(one, stage));
  return run_flavors(std::move(flavors), stage,
                     [this](const FlavorResult& flavor) { take(flavor); });
}

void MutantRounds::take(const FlavorResult& flavor) {
  const auto mutant =
      std::find_if(report_.mutants.begin(), report_.mutants.end(),
                   [&flavor](const MutantResult& result) { return result.name == flavor.name; });
  if (mutant == report_.mutants.end()) return;
  for (const CaseResult& result : flavor.cases) {
    report_.left_out += result.left_out;
    mutant->cases.push_back({result.name, result.rules, result.outcome, result.fired,
                             result.duration_ms, message_of(result)});
  }
}

bool MutantRounds::run_healthy(const std::vector<std::size_t>& plans, const Stage& stage,
                               Failing& failing) {
  // A case that fails anyway kills nothing: whatever failed has to pass without a fault.
  std::map<std::string, std::pair<const MutantPlan*, std::set<std::string_view>>> wanted;
  for (const std::size_t plan : plans) {
    for (const MutantCase& result : report_.mutants[plan].cases) {
      if (!is_failure(result.outcome)) continue;
      auto& [example, names] = wanted[healthy_label(plans_[plan])];
      example = &plans_[plan];
      names.insert(result.name);
    }
  }
  std::vector<SelectedFlavor> flavors;
  for (const auto& [label, example_and_names] : wanted) {
    const auto& [example, names] = example_and_names;
    SelectedFlavor flavor;
    flavor.binding = example->binding;
    flavor.label = label;
    flavor.check_refusals = false;
    if (hangs(*example->mutant)) flavor.limit_cap = kHangingLimit;
    for (const Case& test_case : *context_.suite->cases) {
      if (names.contains(test_case.name)) flavor.cases.push_back(&test_case);
    }
    flavors.push_back(std::move(flavor));
  }
  if (flavors.empty()) return true;
  return run_flavors(std::move(flavors), stage, [&failing](const FlavorResult& flavor) {
    for (const CaseResult& result : flavor.cases) {
      if (is_failure(result.outcome)) failing[flavor.name].push_back(result.name);
    }
  });
}

RunOptions MutantRounds::run_options(std::vector<SelectedFlavor> flavors,
                                     const Stage& stage) const {
  RunOptions run;
  run.flavors = std::move(flavors);
  run.jobs = options_.jobs;
  run.seed = options_.seed;
  run.time_scale = options_.time_scale * stage.hurry;
  run.filtered = true;
  run.argv = context_.argv;
  run.version = context_.version;
  const int fd = progress_descriptor();
  const auto progress = std::make_shared<MutantProgress>(
      fd, describe_terminal(fd, options_.color),
      MutantProgress::Base{report_.mutants.size(), killed_, elapsed_ms(begun_)});
  run.progress = [progress](const nlohmann::json& event) { progress->take(event); };
  return run;
}

bool MutantRounds::run_flavors(std::vector<SelectedFlavor> flavors, const Stage& stage,
                               const std::function<void(const FlavorResult&)>& take) {
  const pid_t guard = ::getpid();
  const auto finish = [&](const std::filesystem::path& event_log) {
    const RunModel model = build_run_model(read_event_log(event_log));
    for (const FlavorResult& flavor : model.flavors) take(flavor);
    if (!model.complete) {
      report_.interrupted =
          model.interrupt_reason.empty() ? "the run was killed" : model.interrupt_reason;
    }
    // In the supervisor nothing comes after this: the guard is dead.
    return ::getpid() == guard ? 0 : finish_(finished_report());
  };
  const int code = run_guarded(*context_.suite, run_options(std::move(flavors), stage), finish);
  if (code != 0 && report_.interrupted.empty()) {
    report_.interrupted = fmt::format("a run of the suite ended with {}", code);
  }
  return report_.interrupted.empty();
}

void MutantRounds::decide(std::size_t plan, const Failing& failing) {
  MutantResult& mutant = report_.mutants[plan];
  const auto found = failing.find(healthy_label(plans_[plan]));
  classify(mutant, found == failing.end() ? std::vector<std::string>() : found->second);
  decided_[plan] = true;
}

MutantReport MutantRounds::finished_report() {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (!decided_[i]) classify(report_.mutants[i], {});
  }
  report_.elapsed_ms = elapsed_ms(begun_);
  return report_;
}

void MutantRounds::tell() {
  const int fd = progress_descriptor();
  const Terminal terminal = describe_terminal(fd, options_.color);
  // A terminal shows the progress of the round itself.
  if (terminal.live || Clock::now() - told_ < kPlainPause) return;
  told_ = Clock::now();
  write_text(fd,
             fmt::format("{} of {} killed, {:.0f} s\n", killed_,
                         count_text(report_.mutants.size(), "mutant"), elapsed_ms(begun_) / 1000));
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// Running and reporting; see run_and_report.h.
#include "conformance/program/run_and_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/program/preflight.h"
#include "conformance/program/program_error.h"
#include "conformance/report/console.h"
#include "conformance/report/live_progress.h"
#include "conformance/report/symbols.h"
#include "conformance/runner/selection.h"
#include "conformance/runner/shard.h"

namespace sandproof::conformance {
namespace {

/// Every run checks what is refused; a part of one only where that has a bearing on its cases. Of
/// the shards of a whole run the first does it, too, for rules of which there is no case.
bool wants_refusals(const Suite& suite, const RunOptions& options, const SelectedFlavor& selected) {
  constexpr std::string_view kRefusalRule = "CAP-002";
  const bool first = options.shard && options.shard->index == 1 && !options.shard->filtered;
  if (!options.filtered || first) return true;
  const auto& cases = selected.cases;
  return std::any_of(cases.begin(), cases.end(), [&](const Case* test_case) {
    const auto& rules = test_case->rules;
    return std::find(rules.begin(), rules.end(), kRefusalRule) != rules.end() ||
           dispose(suite, *test_case, *selected.binding).kind == DispositionKind::kUnsupported;
  });
}

/// "shard 2 of 3 (JOB_COMPLETION_INDEX=1): 112 of 335 cases on local, 112 of 335 on detached"
std::string shard_text(const RunOptions& options) {
  std::string text = fmt::format("shard {} of {}", options.shard->index, options.shard->total);
  if (!options.shard->from.empty()) text += fmt::format(" ({})", options.shard->from);
  text += ": ";
  bool any = false;
  for (const SelectedFlavor& selected : options.flavors) {
    const std::size_t all = selected.cases.size() + selected.others.size();
    if (&selected != &options.flavors.front()) text += ", ";
    text += fmt::format("{} of {} on {}", selected.cases.size(), count_text(all, "case"),
                        selected.binding->name());
    any = any || !selected.cases.empty();
  }
  return text + (any ? ".\n\n" : "; nothing to run, the other shards have them all.\n\n");
}

/// What a case did, for a person who replays one that passes.
std::string told_text(const RunModel& model, const Terminal& terminal) {
  std::string text;
  for (const FlavorResult& flavor : model.flavors) {
    for (const CaseResult& result : flavor.cases) {
      if (result.outcome <= Outcome::kUnexpectedPass) continue;
      const Style style = style_of(result.outcome, true);
      text += fmt::format("{} {}  {} on {}: {} after {}\n",
                          paint(terminal, style, symbol_of(result.outcome, terminal)),
                          paint(terminal, style, result.rules.front()), result.name, flavor.name,
                          words_of(result.outcome), duration_text(result.duration_ms));
      for (const std::string& note : result.notes) {
        text += "      " + printable(note, false) + "\n";
      }
      text += '\n';
    }
  }
  return text;
}

int report(const RunPlan& plan, const std::vector<RequestedReport>& reports,
           const std::filesystem::path& event_log) {
  try {
    const RunModel model = build_run_model(read_event_log(event_log));
    const Terminal terminal = describe_terminal(STDOUT_FILENO, plan.output.color_mode());
    const std::string told = plan.tell_all ? told_text(model, terminal) : std::string();
    write_text(STDOUT_FILENO, told + console_report(model, terminal));
    const bool written = write_reports(
        reports, [&model](const ReportFormat& format) { return format.render(model); });
    if (plan.rewrite) plan.rewrite->apply(model);
    return written ? exit_code_of(model) : static_cast<int>(ExitCode::kRunner);
  } catch (const std::exception& error) {
    print_error(error.what());
    return static_cast<int>(ExitCode::kRunner);
  }
}

/// From now on whoever reads the files reads of this run: that it is incomplete, should it be
/// killed with everything that could say so later. Errors are told when the results are written.
void report_beginning(const std::vector<RequestedReport>& reports,
                      const std::filesystem::path& event_log) {
  try {
    const RunModel model = build_run_model(read_event_log(event_log));
    for (const RequestedReport& requested : reports) {
      if (requested.file.is_regular()) requested.file.write(requested.format->render(model));
    }
  } catch (const std::exception&) {
    // As above.
  }
}

/// Of an environment that is not ready nothing is reported but that.
void check_ready(const ProgramContext& context, const RunPlan& plan) {
  check_machine_ready(plan.flavors, plan.options.jobs, context.program);
  for (const ConfiguredFlavor& configured : plan.flavors) {
    check_starts(configured, context.program);
    const bool any_runs =
        std::any_of(plan.cases.begin(), plan.cases.end(), [&](const Case* test_case) {
          return dispose(*context.suite, *test_case, *configured.binding).kind ==
                 DispositionKind::kRun;
        });
    if (any_runs) check_gives_session(configured, context.program, plan.options.time_scale);
  }
}

}  // namespace

int default_jobs() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostJobs);
}

int run_and_report(const ProgramContext& context, RunPlan plan) {
  const std::vector<RequestedReport> reports = plan.output.requested_reports();
  plan.options.event_log = plan.output.event_log_path();
  check_ready(context, plan);
  for (const ConfiguredFlavor& configured : plan.flavors) {
    SelectedFlavor selected;
    selected.binding = configured.binding;
    selected.config_json = configured.config_json;
    selected.replay = configured.replay;
    selected.cases = plan.cases;
    plan.options.flavors.push_back(std::move(selected));
  }
  if (plan.options.shard) {
    plan.options.shard->filtered = plan.options.filtered;
    plan.options.filtered = plan.options.filtered || plan.options.shard->total > 1;
    take_shard(*context.suite, plan.options);
    write_text(STDOUT_FILENO, shard_text(plan.options));
  }
  for (SelectedFlavor& selected : plan.options.flavors) {
    selected.check_refusals = wants_refusals(*context.suite, plan.options, selected);
  }
  plan.options.argv = context.argv;
  plan.options.program = context.program;
  plan.options.version = context.version;
  const int fd = progress_descriptor();
  const auto progress =
      std::make_shared<LiveProgress>(fd, describe_terminal(fd, plan.output.color_mode()));
  plan.options.progress = [progress](const nlohmann::json& event) { progress->take(event); };
  if (!reports.empty()) {
    plan.options.planned = [&reports](const std::filesystem::path& event_log) {
      report_beginning(reports, event_log);
    };
  }
  return run_guarded(*context.suite, plan.options,
                     [&plan, &reports](const std::filesystem::path& event_log) {
                       return report(plan, reports, event_log);
                     });
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// The worker's work without a worker; see in_process.h.
#include "conformance/program/in_process.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/doctor/scratch_directory.h"
#include "conformance/program/program_error.h"
#include "conformance/report/files.h"
#include "conformance/runner/body_runner.h"
#include "conformance/runner/selection.h"
#include "conformance/runner/shared_block.h"
#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

/// Private, and removed at the end. TMPDIR of the case lies in it, as in a worker.
class Directory {
 public:
  Directory() {
    fs::create_directories(temporary());
    ::setenv("TMPDIR", temporary().c_str(), 1);
  }
  fs::path temporary() const { return scratch_.path() / "tmp"; }
  fs::path of_case() const { return scratch_.path() / "1"; }

 private:
  const ScratchDirectory scratch_;
};

/// The notes and failures that the case wrote, one JSON object per line.
std::string told(int events, const Terminal& terminal) {
  const std::string text = read_whole_file(fmt::format("/proc/self/fd/{}", events), "the events");
  std::string result;
  for (const std::string& line : lines_of(text)) {
    const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) continue;
    const std::string kind = event.value("event", "");
    if (kind == "note") {
      result += "    " + printable(event.value("text", ""), false) + "\n";
    } else if (kind == "assertion_failed") {
      result += paint(terminal, Style::kBad,
                      place_text(event.value("file", ""), event.value("line", 0L))) +
                "\n";
      for (const std::string& part : lines_of(event.value("message", ""))) {
        result += "    " + printable(part, false) + "\n";
      }
    } else if (kind == "leftovers") {
      for (const auto& item : event.value("items", nlohmann::json::array())) {
        result += "    left behind: " + printable(item.get<std::string>(), false) + "\n";
      }
    }
  }
  return result;
}

}  // namespace

int run_in_process(const Suite& suite, const InProcessRun& run, const Terminal& terminal) {
  const Disposition disposition = dispose(suite, *run.test_case, *run.flavor.binding);
  if (disposition.kind != DispositionKind::kRun) {
    throw ProgramError(ExitCode::kNothingSelected,
                       fmt::format("{} does not run on {}: {}", run.test_case->name,
                                   run.flavor.binding->name(), disposition.reason));
  }
  const runner::UniqueFd file(::memfd_create("sandproof-events", MFD_CLOEXEC));
  if (!file) throw ProgramError(ExitCode::kRunner, "no memory for the events of the case");
  const Directory directory;
  const runner::SharedBlockMapping block;
  runner::initialize_googletest();
  runner::EventSink events(file.get());
  runner::AssertionTally tally(block.block().assertions, "", false);
  runner::AssertionCapture capture(events);
  runner::ContextParts parts;
  parts.binding = run.flavor.binding;
  if (!run.flavor.config_json.empty()) {
    parts.config = run.flavor.binding->flavor.settings.from_json(run.flavor.config_json);
  }
  parts.time_scale = run.time_scale;
  parts.events = &events;
  parts.block = &block.block();
  runner::install_assertion_tally(&tally);
  runner::BodyResult result;
  {
    runner::BodyRunner body(parts, capture, tally, directory.temporary());
    result =
        body.run(*run.test_case, directory.of_case(), case_seed(run.seed, run.test_case->name));
  }
  runner::install_assertion_tally(nullptr);
  const bool passed = result.outcome == "passed";
  std::string text = told(file.get(), terminal);
  if (!result.message.empty()) text += "    " + printable(result.message, false) + "\n";
  text += fmt::format("{}: {}, {} in {}\n", run.test_case->name,
                      paint(terminal, passed ? Style::kGood : Style::kBad, result.outcome),
                      count_text(result.assertions, "assertion"),
                      duration_text(static_cast<double>(result.duration.count())));
  write_text(STDOUT_FILENO, text);
  return static_cast<int>(passed ? ExitCode::kConformant : ExitCode::kNotConformant);
}

}  // namespace sandproof::conformance

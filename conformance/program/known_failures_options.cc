// SPDX-License-Identifier: Apache-2.0
// Options for known failures; see known_failures_options.h.
#include "conformance/program/known_failures_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <utility>

#include "conformance/program/known_failures_update.h"
#include "conformance/program/program_error.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

OutputFile writable(const std::string& path) {
  std::optional<OutputFile> file;
  try {
    file.emplace(path, "the known-failures file");
  } catch (const std::runtime_error& error) {
    throw usage_error(error.what());
  }
  if (file->is_regular()) return *file;
  throw usage_error(fmt::format(
      "the known-failures file {} is no regular file, and cannot be rewritten; name one", path));
}

}  // namespace

KnownFailuresRewrite::KnownFailuresRewrite(KnownFailuresFile file)
    : file_(std::move(file)), output_(writable(file_.name)) {
  check_in_lines(file_);
}

void KnownFailuresRewrite::apply(const RunModel& model) const {
  const auto leave = [this](std::string_view why) {
    print_error(fmt::format("{} is left as it is: {}", file_.name, why));
  };
  if (!model.complete) return leave("the run is incomplete, so that it does not show what fails");
  if (model.filtered) return leave("only a part of the suite was run");
  if (read_known_failures(output_.path(), false).text != file_.text) {
    return leave("somebody changed it while the suite ran");
  }
  const KnownFailuresUpdate update = update_known_failures(file_, model);
  if (update.text != file_.text) output_.write(update.text);
  write_text(STDOUT_FILENO, fmt::format("{}: {}.\n", printable(file_.name, false),
                                        printable(sentence_of(update), false)));
}

void KnownFailuresOptions::add_to(CLI::App& app) {
  app.add_option(
         "--known-failures", file,
         "Accept the failures that this file lists, and no others, and fail on what it lists "
         "and does not happen (docs/known-failures.md)")
      ->type_name("FILE");
  app.add_flag("--update-known-failures", update,
               "After a whole run, rewrite that file: add what fails, take out what passes")
      ->needs("--known-failures");
}

std::optional<KnownFailuresRewrite> KnownFailuresOptions::apply_to(RunOptions& run,
                                                                   const Suite& suite) const {
  if (file.empty() && !update) return std::nullopt;
  const bool is_shard = run.shard && run.shard->total > 1;
  if (update && (run.filtered || is_shard || run.fail_fast)) {
    throw usage_error(fmt::format(
        "--update-known-failures needs a run of the whole suite, which {} does not give: what was "
        "not run is not known to pass",
        run.filtered ? "a filter"
        : is_shard   ? "a shard"
                     : "--fail-fast"));
  }
  KnownFailuresFile parsed = read_known_failures(file, !update);
  run.known_failures = KnownFailureList{parsed.name, parsed.entries};
  for (KnownFailure& entry : run.known_failures->entries) look_up(entry, suite);
  if (!update) return std::nullopt;
  return KnownFailuresRewrite(std::move(parsed));
}

}  // namespace sandproof::conformance

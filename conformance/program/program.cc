// SPDX-License-Identifier: Apache-2.0
// run_program(): the subcommands composed into one program; see program.h.
#include "sandproof/conformance/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "conformance/program/check_bindings.h"
#include "conformance/program/cli_error.h"
#include "conformance/program/commands.h"
#include "conformance/program/examples.h"
#include "conformance/program/program_error.h"
#include "conformance/program/value_checks.h"
#include "conformance/report/terminal.h"
#include "conformance/runner/run.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// Of the build.
constexpr const char* kVersion = SANDPROOF_VERSION;

constexpr const char* kAbout =
    "Proves sandboxes: runs one conformance suite against any flavor and says what it gets wrong.";

constexpr const char* kExamples = R"(Examples:
  sandproof run --flavor FLAVOR        the whole suite against one flavor
  sandproof list                      the rules that it checks
  sandproof explain KILL-004          why a rule is there, and what holds a flavor to it
  sandproof doctor                    has each flavor what it needs here?
  sandproof replay --flavor FLAVOR --case KillIsIdempotent --seed 123
  sandproof mutants                   does the suite notice every known fault?
  sandproof report merge logs/*.jsonl  one result of the shards of a run
  sandproof diff before.json after.json

'sandproof SUBCOMMAND --help' has the options of each.)";

int code_of(ExitCode code) { return static_cast<int>(code); }

/// "sandproof" of "/usr/bin/sandproof".
std::string program_name(int argc, char** argv) {
  const std::string name =
      argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string();
  return name.empty() ? "sandproof" : name;
}

int parse_and_run(int argc, char** argv, const ProgramContext& context,
                  std::vector<Subcommand> more) {
  CLI::App app(kAbout, context.program);
  app.set_version_flag("--version", fmt::format("{} {}", context.program, context.version));
  app.require_subcommand(1);
  app.footer(kExamples);
  std::vector<Subcommand> subcommands = {
      run_command(context),    list_command(context),   explain_command(context),
      doctor_command(context), replay_command(context), mutants_command(context),
      report_command(context), diff_command(context),   verify_command(context)};
  for (Subcommand& subcommand : more) subcommands.push_back(std::move(subcommand));
  std::vector<std::pair<CLI::App*, std::function<int()>>> runners;
  for (const Subcommand& subcommand : subcommands) {
    CLI::App* const parser = app.add_subcommand(subcommand.name, subcommand.help);
    runners.emplace_back(parser, subcommand.setup(*parser));
  }
  refuse_empty_values(app);
  put_own_names(app, example_names(context));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    write_text(STDOUT_FILENO, chosen.empty() ? app.help() : chosen.front()->help(app.get_name()));
    return code_of(ExitCode::kConformant);
  } catch (const CLI::CallForVersion& version) {
    write_text(STDOUT_FILENO, std::string(version.what()) + "\n");
    return code_of(ExitCode::kConformant);
  } catch (const CLI::ParseError& error) {
    throw usage_error(sentence_of(error, app));
  }
  for (const auto& [parser, run] : runners) {
    if (parser->parsed()) return run();
  }
  throw usage_error("a subcommand is needed");
}

/// A program whose result went nowhere was no success. Who closes a pipe has read enough.
int with_output_error(int code) {
  const int error = standard_output_error();
  if (error == 0 || error == EPIPE) return code;
  print_error(fmt::format("cannot write to standard output: {}", std::strerror(error)));
  return code == code_of(ExitCode::kConformant) ? code_of(ExitCode::kRunner) : code;
}

}  // namespace

void print_error(std::string_view sentence) {
  write_text(STDERR_FILENO, fmt::format("sandproof: {}\n", printable(sentence, false)));
}

int run_program(int argc, char** argv, std::vector<Binding> bindings,
                std::vector<Subcommand> more) {
  try {
    const auto suite = std::make_shared<const Suite>(whole_suite(std::move(bindings)));
    if (const std::optional<int> code = run_hidden(*suite, argc, argv)) return *code;
    check_bindings(*suite);
    const ProgramContext context{suite, std::vector<std::string>(argv, argv + argc),
                                 program_name(argc, argv), kVersion};
    return with_output_error(parse_and_run(argc, argv, context, std::move(more)));
  } catch (const ProgramError& error) {
    print_error(error.what());
    return code_of(error.code());
  } catch (const InvalidArgumentError& error) {
    print_error(error.what());
    return code_of(ExitCode::kUsage);
  } catch (const std::exception& error) {
    print_error(error.what());
  } catch (...) {
    print_error("something was thrown that is no std::exception");
  }
  return code_of(ExitCode::kRunner);
}

}  // namespace sandproof::conformance

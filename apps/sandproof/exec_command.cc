// SPDX-License-Identifier: Apache-2.0
// Options of `sandproof exec`; see exec_command.h. What runs is in exec_run.cc.
#include "apps/sandproof/exec_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "apps/sandproof/exec_run.h"
#include "conformance/program/flavor_options.h"
#include "conformance/program/program_error.h"
#include "sandproof/errors.h"
#include "sandproof/process.h"

namespace sandproof::apps {
namespace {

using conformance::ConfiguredFlavor;
using conformance::FlavorOptions;
using conformance::Suite;
using conformance::usage_error;

constexpr const char* kExamples = R"(Examples:
  sandproof exec --flavor local -- ls -l
  sandproof exec --flavor local --env GREETING=hi -- sh -c 'echo $GREETING'
  tar c . | sandproof exec --flavor local --cwd /tmp -- tar t
  sandproof exec --flavor local --timeout 10 -- make test

The session is made for the command and destroyed after it. Output comes as it is written, byte by
byte. Where the flavor does not claim stdin the command has no input: what waits in a pipe or file
is not passed on, which one line on stderr says. The exit code is the command's (128 + N for a death
by signal N); 124: it ran into --timeout, 125: the backend failed, 126: it cannot be run or the
directory is bad, 127: it was not found; and 2: the options are wrong, and nothing was run. All but
the command's come with a line on stderr that begins `sandproof:`.)";

struct ExecArguments {
  FlavorOptions flavor;
  std::string cwd;
  std::vector<std::string> env;
  std::string timeout;
  std::string program;
};

/// "10", "1.5", "500ms", "2m", "1h": seconds where there is no unit.
std::chrono::milliseconds parse_timeout(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1'000
                        : unit == "ms"              ? 1
                        : unit == "m"               ? 60'000
                        : unit == "h"               ? 3'600'000
                                                    : 0;
  const double milliseconds = std::ceil(number * factor);
  if (error != std::errc() || factor == 0 || !(milliseconds > 0) ||
      milliseconds > static_cast<double>(kLargestTimeout.count())) {
    throw usage_error(
        fmt::format("--timeout takes a time over 0 such as 10, 1.5, 500ms or 2m, not `{}`", text));
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
}

Environment parse_env(const std::vector<std::string>& words) {
  Environment env;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    // Of a value that went astray nothing is shown: it may be a secret.
    if (equals == std::string::npos || equals == 0) {
      throw usage_error("--env takes NAME=VALUE; there is a word without a name or without `=`");
    }
    const std::string name = word.substr(0, equals);
    if (!env.emplace(name, word.substr(equals + 1)).second) {
      throw usage_error(fmt::format("--env {} is given twice; leave one of them out", name));
    }
  }
  return env;
}

/// The command: its first word is an argument of ours, the others are left as they are (the parser
/// would read more into them). A `--` in front of it is not a part of it.
std::vector<std::string> command_words(const ExecArguments& arguments, const CLI::App& app) {
  std::vector<std::string> words = {arguments.program};
  std::vector<std::string> rest = app.remaining();
  if (!rest.empty() && rest.front() == "--") rest.erase(rest.begin());
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

ConfiguredFlavor only_flavor(const Suite& suite, const FlavorOptions& options) {
  if (options.flavors.empty() && options.stack.empty()) {
    throw usage_error("exec needs --flavor NAME or --stack FILE");
  }
  return conformance::configured_flavors(suite, options).front();
}

int exec(const Suite& suite, const ExecArguments& arguments, const CLI::App& app) {
  const ConfiguredFlavor configured = only_flavor(suite, arguments.flavor);
  ExecPlan plan;
  plan.flavor = configured.binding->flavor;
  plan.component_id = configured.component_id;
  if (!configured.config_json.empty()) {
    plan.settings = plan.flavor.settings.from_json(configured.config_json);
  }
  plan.words = command_words(arguments, app);
  plan.options.cwd = arguments.cwd;
  plan.options.env = parse_env(arguments.env);
  if (!arguments.timeout.empty()) plan.options.timeout = parse_timeout(arguments.timeout);
  return ExecRun(std::move(plan)).run();
}

}  // namespace

conformance::Subcommand exec_command(std::vector<conformance::Binding> bindings) {
  const auto suite = std::make_shared<Suite>();
  suite->bindings = std::move(bindings);
  return {"exec", "Run one command in a fresh session of a flavor",
          [suite](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<ExecArguments>();
            arguments->flavor.add_to(app, false);
            app.add_option("--cwd", arguments->cwd, "Where it runs, relative to the session")
                ->type_name("DIR");
            app.add_option("--env", arguments->env, "A variable for it; may be repeated")
                ->type_name("NAME=VALUE")
                ->allow_extra_args(false);
            app.add_option("--timeout", arguments->timeout, "Kill it after this time")
                ->type_name("SECONDS");
            app.add_option("command", arguments->program, "The command and its arguments, after --")
                ->type_name("COMMAND...")
                ->required();
            app.prefix_command();
            app.footer(kExamples);
            return [suite, arguments, &app] { return exec(*suite, *arguments, app); };
          }};
}

}  // namespace sandproof::apps

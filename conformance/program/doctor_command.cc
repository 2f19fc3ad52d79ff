// SPDX-License-Identifier: Apache-2.0
// `sandproof doctor`: what each flavor needs here, whether it is so, and what to do where not.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/doctor/checkup.h"
#include "conformance/doctor/machine.h"
#include "conformance/doctor/scratch_directory.h"
#include "conformance/doctor/session_check.h"
#include "conformance/program/commands.h"
#include "conformance/program/flavor_options.h"
#include "conformance/program/output_options.h"
#include "conformance/program/program_error.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kDoctorExamples = R"(Examples:
  sandproof doctor                          this machine, and every flavor
  sandproof doctor --flavor FLAVOR           one flavor
  sandproof doctor --flavor FLAVOR --set NAME=VALUE
  sandproof doctor --format json            for programs

Exit codes: 0 all is there, 2 usage or configuration, 3 something is missing that is needed. A
warning is not: with it the flavor works less well, or some cases cannot hold.)";

struct DoctorArguments {
  FlavorOptions flavor;
  std::string format = "text";
  OutputOptions output;
};

CheckedGroup check_flavor(const ConfiguredFlavor& configured) {
  const Binding& binding = *configured.binding;
  try {
    const ScratchDirectory scratch;
    const Settings settings = binding.flavor.settings.completed(
        binding.flavor.settings.checked(component_settings(configured, scratch.path())));
    std::vector<Precondition> preconditions = binding.preconditions;
    preconditions.push_back(session_precondition(binding, configured.component_id));
    return check_group(binding.name(), preconditions, settings);
  } catch (const ProgramError& error) {
    if (error.code() != ExitCode::kEnvironment) throw;
    return {binding.name(),
            {{"its needs can be looked at", CheckResult::failed(error.what(), "see above")}}};
  }
}

int doctor(const ProgramContext& context, const DoctorArguments& arguments) {
  // Before anything is looked at: what is misspelled is no matter of the machine.
  const std::vector<ConfiguredFlavor> flavors =
      configured_flavors(*context.suite, arguments.flavor);
  MachineNeeds needs;
  needs.temporary = temporary_directory();
  std::vector<CheckedGroup> groups = {
      check_group("this machine", machine_preconditions(needs), Settings())};
  for (const ConfiguredFlavor& configured : flavors) groups.push_back(check_flavor(configured));
  if (arguments.format == "json") {
    constexpr int kIndent = 2;
    write_text(STDOUT_FILENO,
               checkup_json(groups).dump(kIndent, ' ', false,
                                         nlohmann::ordered_json::error_handler_t::replace) +
                   "\n");
  } else {
    const Terminal terminal = describe_terminal(STDOUT_FILENO, arguments.output.color_mode());
    write_text(STDOUT_FILENO, checkup_text(groups, terminal));
  }
  return static_cast<int>(any_failed(groups) ? ExitCode::kEnvironment : ExitCode::kConformant);
}

}  // namespace

Subcommand doctor_command(const ProgramContext& context) {
  return {"doctor", "Check what each flavor needs here, and say how to get it",
          [context](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<DoctorArguments>();
            arguments->flavor.add_to(app, true);
            app.add_option("--format", arguments->format, "text (default) or json")
                ->check(CLI::IsMember({"text", "json"}))
                ->type_name("FORMAT");
            arguments->output.add_color_to(app);
            app.footer(kDoctorExamples);
            return [context, arguments] { return doctor(context, *arguments); };
          }};
}

}  // namespace sandproof::conformance

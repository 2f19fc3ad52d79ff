// SPDX-License-Identifier: Apache-2.0
// Options and words of `sandproof init`; see init_command.h. What is written is in
// skeleton_project.cc.
#include "apps/sandproof/init_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "apps/sandproof/skeleton_project.h"
#include "conformance/report/terminal.h"
#include "sandproof/words.h"

namespace sandproof::apps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInitExamples = R"(Examples:
  sandproof init demo                          the project demo/, with the flavor `demo`
  sandproof init my-flavor --directory ~/src/f elsewhere

The project builds as it is. Its six hooks are not written: the first run names the first one, and
each that is written brings up the next.)";

struct InitArguments {
  std::string name;
  std::string directory;
};

/// Where CMake has to be told to look: the prefix from which this program was installed, unless it
/// looks there anyway.
std::string prefix_option() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = program.parent_path().parent_path();
  if (error || prefix == "/usr" || prefix == "/usr/local") return {};
  if (!fs::exists(prefix / "include/sandproof/hooks.h", error)) return {};
  return " -DCMAKE_PREFIX_PATH=" + quote_word(prefix.string());
}

std::string told(const SkeletonNames& names, const std::string& directory) {
  const std::string file = names.row + ".cc";
  const std::string binding = names.identifier + "_binding.cc";
  const std::size_t columns = std::max(binding.size(), std::string_view("ci, .github/").size());
  const auto row = [columns](std::string_view name, std::string_view text) {
    return fmt::format("  {}  {}\n", conformance::pad_to(name, columns), text);
  };
  const std::string build = quote_word((fs::path(directory) / "build").string());
  return fmt::format("The flavor `{}` begins in {}:\n", names.flavor, directory) +
         row(file, "the hooks, in the order in which to write them") +
         row(binding, "what it does not claim, and why") + row("ci, .github/", "the suite in CI") +
         row("README.md", "the way from here") + "\nNext:\n" +
         fmt::format("  cmake -S {} -B {}{}\n", quote_word(directory), build, prefix_option()) +
         fmt::format("  cmake --build {}\n", build) +
         fmt::format(
             "  {}\n",
             quote_word(
                 (fs::path(directory) / "build" / (names.flavor + "-conformance")).string()) +
                 " run --fail-fast");
}

int init(const InitArguments& arguments) {
  const SkeletonNames names = skeleton_names(arguments.name);
  const std::string directory = arguments.directory.empty() ? arguments.name : arguments.directory;
  write_skeleton(directory, skeleton_files(names, SANDPROOF_PACKAGE_VERSION));
  conformance::write_text(STDOUT_FILENO, told(names, directory));
  return static_cast<int>(conformance::ExitCode::kConformant);
}

}  // namespace

conformance::Subcommand init_command() {
  return {"init", "Begin a flavor: write a project that builds and runs the suite",
          [](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<InitArguments>();
            app.add_option("name", arguments->name, "The flavor's name, such as my-flavor")
                ->type_name("NAME")
                ->required();
            app.add_option("--directory", arguments->directory,
                           "Where; made, or there and empty (default: ./NAME)")
                ->type_name("DIR");
            app.footer(kInitExamples);
            return [arguments] { return init(*arguments); };
          }};
}

}  // namespace sandproof::apps

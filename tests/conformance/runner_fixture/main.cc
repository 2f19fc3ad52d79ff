// SPDX-License-Identifier: Apache-2.0
// The runner's test program: `run OPTION...` runs the fixture's cases as `sandproof run` would;
// `sleep` and `daemon` are processes that its cases leave behind.
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "conformance/runner/run.h"
#include "tests/conformance/runner_fixture/fixture_cases.h"

namespace sandproof::conformance::fixture {
namespace {

[[noreturn]] void sleep_until_killed() {
  while (true) ::pause();
}

[[noreturn]] void become_daemon() {
  if (::fork() != 0) ::_exit(0);
  ::setsid();
  ::close_range(0, ~0U, 0);
  sleep_until_killed();
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  return items;
}

struct Options {
  RunOptions run;
  std::string flavor = "toy";
  std::vector<std::string> cases;
  std::vector<std::string> mutants;
  std::string left_out;
  std::string finished;
  bool refusals = false;
  int limit_cap_ms = 0;
};

// As on a full disk.
void limit_files(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// --name value, all of them; no checks: the tests are the only user.
Options parse(int argc, char** argv) {
  Options options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--log") options.run.event_log = value;
    if (name == "--finished") options.finished = value;
    if (name == "--flavor") options.flavor = value;
    if (name == "--cases") options.cases = split(value);
    if (name == "--mutants") options.mutants = split(value);
    if (name == "--left-out") options.left_out = value;
    if (name == "--jobs") options.run.jobs = std::stoi(value);
    if (name == "--seed") options.run.seed = std::stoull(value);
    if (name == "--shuffle") options.run.shuffle = value == "yes";
    if (name == "--fail-fast") options.run.fail_fast = value == "yes";
    if (name == "--places") options.run.record_places = value == "yes";
    if (name == "--refusals") options.refusals = value == "yes";
    if (name == "--time-scale") options.run.time_scale = std::stod(value);
    if (name == "--file-limit") limit_files(std::stoul(value));
    if (name == "--limit-cap") options.limit_cap_ms = std::stoi(value);
  }
  return options;
}

void select(const Suite& suite, Options& options) {
  SelectedFlavor selected;
  selected.binding = suite.find_binding(options.flavor);
  for (const std::string& name : options.cases) selected.cases.push_back(suite.find_case(name));
  selected.check_refusals = options.refusals;
  if (!options.left_out.empty()) selected.left_out_assertion = options.left_out;
  if (options.limit_cap_ms > 0) {
    selected.limit_cap = std::chrono::milliseconds(options.limit_cap_ms);
  }
  if (options.mutants.empty()) options.run.flavors.push_back(selected);
  for (const std::string& mutant : options.mutants) {
    selected.mutant = mutant;
    selected.label = options.flavor + "+" + mutant;
    options.run.flavors.push_back(selected);
  }
}

int run_fixture(const Suite& suite, int argc, char** argv) {
  Options options = parse(argc, argv);
  select(suite, options);
  options.run.progress = [](const nlohmann::json& event) {
    std::cout << event.at("event").get<std::string>() << '\n';
  };
  return run_guarded(suite, options.run, [&](const std::filesystem::path& log) {
    std::ifstream stream(log);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const bool complete = text.find("\"event\":\"run_finished\"") != std::string::npos;
    if (!options.finished.empty()) {
      std::ofstream(options.finished, std::ios::app)
          << ::getpid() << (complete ? " complete\n" : " incomplete\n");
    }
    return complete ? 0 : 6;
  });
}

}  // namespace
}  // namespace sandproof::conformance::fixture

int main(int argc, char** argv) {
  namespace fixture = sandproof::conformance::fixture;
  const std::string subcommand = argc > 1 ? argv[1] : "";
  if (subcommand == "sleep") fixture::sleep_until_killed();
  if (subcommand == "daemon") fixture::become_daemon();
  try {
    const sandproof::conformance::Suite suite = fixture::fixture_suite();
    if (const auto code = sandproof::conformance::run_hidden(suite, argc, argv)) return *code;
    return fixture::run_fixture(suite, argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "runner_fixture: %s\n", error.what());
    return 5;
  }
}

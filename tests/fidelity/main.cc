// SPDX-License-Identifier: Apache-2.0
// The program `fidelity`: the table of rows against the real shells and programs.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/fidelity/escape.h"
#include "tests/fidelity/machine_engine.h"
#include "tests/fidelity/parallel.h"
#include "tests/fidelity/random_scripts.h"
#include "tests/fidelity/rows_file.h"
#include "tests/fidelity/runner.h"

namespace sandproof::fidelity {
namespace {

// The exit codes of `sandproof`.
enum ExitCode { kOk = 0, kMismatch = 1, kUsage = 2, kEnvironment = 3, kNothing = 4, kError = 5 };

struct Options {
  std::vector<std::string> engines;
  std::string filter;
  std::string rows = FIDELITY_ROWS;
  // Rows mostly wait for processes; more only makes them wait for each other.
  unsigned jobs = std::max(2u, std::thread::hardware_concurrency() * 2);
  bool record = false;
  bool list = false;
  unsigned random = 0;
  std::uint64_t seed = 1;
};

// A directory that goes with everything in it.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "fidelity-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw EngineError("cannot make a directory like " + name + ": is it full or read-only?");
    }
    path_ = name;
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // A new directory in it.
  std::filesystem::path folder(const std::string& name) const {
    std::filesystem::create_directory(path_ / name);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

void print_fault(const Verdict& verdict) {
  std::printf("FAILED  %s on %s\n  %s:%d\n%s", verdict.row->id().c_str(),
              std::string(verdict.engine).c_str(), verdict.topic->path.c_str(), verdict.row->line,
              indent(verdict.row->script + "\n", 4).c_str());
  for (const std::string& fault : verdict.faults) std::printf("    %s\n", fault.c_str());
}

int check(const std::vector<Topic>& topics, const std::vector<Engine*>& engines,
          const Options& options) {
  check_marks(topics);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Verdict> verdicts = judge(topics, engines, options.filter, options.jobs);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (verdicts.empty()) {
    std::fprintf(stderr, "fidelity: no row's name contains '%s'; --list prints all names\n",
                 options.filter.c_str());
    return kNothing;
  }
  bool all = true;
  for (const Verdict& verdict : verdicts) {
    if (!verdict.faults.empty()) print_fault(verdict);
    all = all && verdict.faults.empty();
  }
  std::printf("%-8s  %5s  %6s  %6s\n", "engine", "rows", "as told", "failed");
  for (const Engine* engine : engines) {
    int count = 0;
    int failed = 0;
    std::map<std::string, int> lacking;
    for (const Verdict& verdict : verdicts) {
      if (verdict.engine != engine->name()) continue;
      if (!verdict.lacking.empty()) {
        ++lacking[verdict.lacking];
        continue;
      }
      ++count;
      failed += verdict.faults.empty() ? 0 : 1;
    }
    std::printf("%-8s  %5d  %7d  %6d\n", std::string(engine->name()).c_str(), count, count - failed,
                failed);
    for (const auto& [program, rows] : lacking) {
      std::printf("  %d rows are not judged: %s has no %s\n", rows,
                  std::string(engine->name()).c_str(), program.c_str());
    }
  }
  std::printf("%.1f s on %u threads\n", took.count(), options.jobs);
  return all ? kOk : kMismatch;
}

int write_down(std::vector<Topic>& topics, const std::vector<Engine*>& engines,
               const Options& options) {
  const auto faults = record(topics, engines, options.filter, options.jobs);
  int unexplained = 0;
  for (const Topic& topic : topics) {
    std::ofstream file(topic.path, std::ios::binary | std::ios::trunc);
    file << format_topic(topic) << std::flush;
    if (!file) throw BadRows("cannot write " + topic.path);
    for (const Row& row : topic.rows) {
      if (row.reason != "?") continue;
      ++unexplained;
      std::printf("%s: say why %s differs\n", row.id().c_str(), row.differs.c_str());
    }
  }
  for (const std::string& fault : faults) std::printf("not recorded: %s\n", fault.c_str());
  return faults.empty() && unexplained == 0 ? kOk : kMismatch;
}

int list_rows(const std::vector<Topic>& topics, const Options& options) {
  bool any = false;
  for (const Topic& topic : topics) {
    for (const Row& row : topic.rows) {
      if (row.id().find(options.filter) == std::string::npos) continue;
      std::printf("%s\n", row.id().c_str());
      any = true;
    }
  }
  return any ? kOk : kNothing;
}

// Compares the machine with dash over scripts at random.
int compare(Engine& dash, Engine& machine, const Options& options) {
  std::mutex mutex;
  unsigned differing = 0;
  for_each_number(options.random, options.jobs, [&](std::size_t at) {
    const std::uint64_t seed = options.seed + at;
    const std::string script = random_script(seed);
    const Result real = dash.run(script, "");
    const Result ours = machine.run(script, "");
    const Expected expected{.out = real.out, .err = real.err, .status = real.status};
    const std::vector<std::string> faults = mismatches(expected, ours);
    if (faults.empty()) return;
    const std::lock_guard lock(mutex);
    ++differing;
    std::printf("FAILED  --random 1 --seed %llu\n%s", static_cast<unsigned long long>(seed),
                indent(script + "\n", 4).c_str());
    for (const std::string& fault : faults) std::printf("    %s\n", fault.c_str());
  });
  std::printf("%u scripts at random, %u differ\n", options.random, differing);
  return differing == 0 ? kOk : kMismatch;
}

int run(const Options& options) {
  for (const std::string& name : options.engines) {
    if (name != kMachine && !is_real_engine(name)) {
      std::fprintf(stderr,
                   "fidelity: no engine is named '%s'; there are dash, busybox and machine\n",
                   name.c_str());
      return kUsage;
    }
  }
  if (options.random > 0) {
    const Scratch scratch;
    const auto dash = make_real_engine("dash", scratch.folder("dash"));
    return compare(*dash, *make_machine_engine(), options);
  }
  std::vector<Topic> topics = load_topics(options.rows);
  if (options.list) return list_rows(topics, options);
  const Scratch scratch;
  std::vector<std::unique_ptr<Engine>> owned;
  std::vector<Engine*> engines;
  for (const std::string& name : options.engines) {
    owned.push_back(name == kMachine ? make_machine_engine()
                                     : make_real_engine(name, scratch.folder(name)));
    engines.push_back(owned.back().get());
  }
  if (options.record) return write_down(topics, engines, options);
  return check(topics, engines, options);
}

int main_with(int argc, char** argv) {
  Options options;
  CLI::App app("Runs the table of rows (script, input: output, status) on real shells.");
  app.add_option("--engine", options.engines,
                 "dash, busybox, machine; given again for more; default dash and busybox");
  app.add_option("--filter", options.filter, "Only rows whose topic/name contains this");
  app.add_option("--rows", options.rows, "The folder of *.rows files")
      ->check(CLI::ExistingDirectory);
  app.add_option("--jobs", options.jobs, "Rows that run at once")->check(CLI::Range(1, 256));
  app.add_flag("--record", options.record, "Write what both engines give into the rows");
  app.add_option("--random", options.random,
                 "Instead of rows: so many scripts at random, the machine against dash");
  app.add_option("--seed", options.seed, "Of the first script of --random; the next has the next");
  app.add_flag("--list", options.list, "Print the rows' names, run none");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  if (options.record && !options.engines.empty()) {
    std::fprintf(stderr, "fidelity: --record takes both engines: leave --engine away\n");
    return kUsage;
  }
  if (options.engines.empty()) options.engines = {"dash", "busybox"};
  try {
    return run(options);
  } catch (const BadRows& error) {
    std::fprintf(stderr, "fidelity: %s\n", error.what());
    return kUsage;
  } catch (const EngineError& error) {
    std::fprintf(stderr, "fidelity: %s\n", error.what());
    return kEnvironment;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fidelity: the runner failed: %s\n", error.what());
    return kError;
  }
}

}  // namespace
}  // namespace sandproof::fidelity

int main(int argc, char** argv) { return sandproof::fidelity::main_with(argc, argv); }

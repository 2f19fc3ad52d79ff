// SPDX-License-Identifier: Apache-2.0
// The worker's start, its loop and its end (worker_main.h).
#include "conformance/runner/worker_main.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/runner/body_runner.h"
#include "conformance/runner/descriptor_census.h"
#include "conformance/runner/line_reader.h"
#include "conformance/runner/run.h"
#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

using nlohmann::json;

struct WorkerArguments {
  int commands = -1;
  int events = -1;
  int block = -1;
  int parent = -1;
};

WorkerArguments parse(const std::vector<std::string>& words) {
  WorkerArguments arguments;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    int number = -1;
    const std::string& value = words[i + 1];
    std::from_chars(value.data(), value.data() + value.size(), number);
    if (words[i] == "--fd-commands") arguments.commands = number;
    if (words[i] == "--fd-events") arguments.events = number;
    if (words[i] == "--fd-block") arguments.block = number;
    if (words[i] == "--parent") arguments.parent = number;
  }
  for (const int fd : {arguments.commands, arguments.events, arguments.block}) {
    if (fd < 0 || ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
      throw RunnerError("`worker` is a part of `run`, which starts it: it is not for people");
    }
  }
  return arguments;
}

// From here on this process ends with the one that started it.
void tie_to_parent(int parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have died before that.
  if (::getppid() != parent) ::_exit(1);
}

void prepare_process() {
  // A crash is a result here; a core file for each would cost seconds.
  rlimit limit{};
  if (::getrlimit(RLIMIT_CORE, &limit) == 0) {
    limit.rlim_cur = 0;
    ::setrlimit(RLIMIT_CORE, &limit);
  }
  // What was printed before a crash is seen by lines, not lost in a buffer.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

class CommandPipe {
 public:
  explicit CommandPipe(UniqueFd fd) : fd_(std::move(fd)) {}
  /// Blocks; nothing at the end of the pipe.
  std::optional<json> next() {
    while (lines_.empty()) {
      const LineReader::State state =
          reader_.read(fd_.get(), 1, [this](std::string_view line) { lines_.emplace_back(line); });
      if (state == LineReader::State::kEnd) return std::nullopt;
    }
    const json command = json::parse(lines_.front());
    lines_.pop_front();
    return command;
  }

 private:
  UniqueFd fd_;
  LineReader reader_;
  std::deque<std::string> lines_;
};

class Worker {
 public:
  Worker(const Suite& suite, const json& setup, EventSink& events, SharedBlock& block)
      : suite_(suite),
        events_(events),
        directory_(setup.at("directory").get<std::string>()),
        tally_(block.assertions, setup.at("left_out").get<std::string>(),
               setup.at("record_places").get<bool>()),
        capture_(events) {
    ContextParts parts;
    parts.binding = suite.find_binding(setup.at("flavor").get<std::string>());
    if (parts.binding == nullptr) throw RunnerError("the worker does not know the flavor");
    const std::string config = setup.at("config");
    if (!config.empty()) parts.config = parts.binding->flavor.settings.from_json(config);
    const std::string mutant = setup.at("mutant");
    if (!mutant.empty()) {
      parts.mutant = suite.find_mutant(mutant);
      if (parts.mutant == nullptr) throw RunnerError("the worker does not know the mutant");
    }
    parts.time_scale = setup.at("time_scale");
    parts.events = &events;
    parts.block = &block;
    const std::filesystem::path temporary = directory_ / "tmp";
    std::filesystem::create_directories(temporary);
    ::setenv("TMPDIR", temporary.c_str(), 1);
    bodies_.emplace(parts, capture_, tally_, temporary);
    install_assertion_tally(&tally_);
  }
  ~Worker() { install_assertion_tally(nullptr); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void perform(const json& command) {
    const auto directory = directory_ / std::to_string(++count_);
    const std::string operation = command.at("op");
    events_.send({{"event", "begun"}});
    if (operation == "case") {
      run_case(command, directory);
    } else if (operation == "refusal") {
      check_refusal(command, directory);
    }
  }

 private:
  void run_case(const json& command, const std::filesystem::path& directory) {
    const Case* const test_case = suite_.find_case(command.at("case").get<std::string>());
    if (test_case == nullptr) throw RunnerError("the worker does not know the case");
    const BodyResult result = bodies_->run(*test_case, directory, command.at("seed"));
    note_descriptors();
    json event{{"event", "done"},
               {"outcome", result.outcome},
               {"message", EventSink::bounded(result.message)},
               {"duration_ms", result.duration.count()},
               {"assertions", result.assertions}};
    if (!result.places.empty()) event["places"] = result.places;
    if (result.left_out > 0) event["left_out"] = result.left_out;
    events_.send(event);
  }

  void check_refusal(const json& command, const std::filesystem::path& directory) {
    const auto capability = capability_from_string(command.at("capability").get<std::string>());
    if (!capability) throw RunnerError("the worker does not know the capability");
    const RefusalResult result = bodies_->check(*capability, directory);
    events_.send({{"event", "refused"},
                  {"held", result.held},
                  {"message", EventSink::bounded(result.message)}});
  }

  // After the first case: what it opens once and for all is nobody's leak.
  void note_descriptors() {
    std::string text;
    for (const std::string& fd : descriptors_.fresh()) text += (text.empty() ? "" : ", ") + fd;
    if (!text.empty()) events_.note("descriptors that are open since this case: " + text);
  }

  const Suite& suite_;
  EventSink& events_;
  std::filesystem::path directory_;
  AssertionTally tally_;
  AssertionCapture capture_;
  std::optional<BodyRunner> bodies_;
  DescriptorCensus descriptors_;
  std::uint64_t count_ = 0;
};

void serve(const Suite& suite, const WorkerArguments& arguments) {
  const SharedBlockMapping block{UniqueFd(arguments.block)};
  install_wait_board(&block.block().board);
  EventSink events(arguments.events);
  CommandPipe commands{UniqueFd(arguments.commands)};
  if (const std::optional<json> setup = commands.next()) {
    Worker worker(suite, *setup, events, block.block());
    while (const std::optional<json> command = commands.next()) worker.perform(*command);
  }
  install_wait_board(nullptr);
}

}  // namespace

int worker_main(const Suite& suite, const std::vector<std::string>& words) {
  try {
    const WorkerArguments arguments = parse(words);
    tie_to_parent(arguments.parent);
    prepare_process();
    initialize_googletest();
    serve(suite, arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sandproof: worker: %s\n", error.what());
    return 5;
  }
}

}  // namespace sandproof::conformance::runner

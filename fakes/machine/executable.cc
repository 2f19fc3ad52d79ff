// SPDX-License-Identifier: Apache-2.0
// Finding what exec() is to run.
#include "fakes/machine/executable.h"

#include "fakes/machine/kernel.h"
#include "fakes/machine/open_node.h"

namespace sandproof::machine {
namespace {

// Linux's BINPRM_BUF_SIZE, and how many interpreters may be scripts themselves.
constexpr std::size_t kHeadBytes = 256;
constexpr int kMaxInterpreters = 5;

// Linux's: of one string, and of all of them with a pointer each under the usual 8 MiB stack.
constexpr std::size_t kMaxArgument = 131072;
constexpr std::size_t kMaxArguments = 2097152;

/// The words of a line "#!INTERPRETER [ARGUMENT]": one argument at most, blanks within it kept.
Strings words_of(std::string_view line) {
  const auto trim = [](std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return std::string_view();
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
  };
  line = trim(line);
  const std::size_t blank = line.find_first_of(" \t");
  if (line.empty()) return {};
  if (blank == line.npos) return {std::string(line)};
  return {std::string(line.substr(0, blank)), std::string(trim(line.substr(blank)))};
}

struct LookedInto {
  NodePtr node;
  std::string program;       // Of the machine, or
  Strings interpreter = {};  // of a script.
};

Result<LookedInto> look_into(const ProcessEntry& caller, std::string_view path) {
  FileSystem& files = *caller.files();
  const Caller asks = caller_of(*caller.credentials, caller.pid, caller.kernel.clock());
  const PathAt where{.at = caller.cwd, .path = path};
  const Result<NodePtr> node = files.lookup(where, Follow::kYes, asks);
  if (!node) return node.error();
  const Result<Attributes> attributes = files.stat(**node);
  if (!attributes) return attributes.error();
  if (attributes->type != FileType::kRegular) return Errno::kAcces;
  const Result<void> allowed = files.access(where, {.execute = true}, asks);
  if (!allowed) return allowed.error();
  if (std::optional<std::string> name = files.program_of(**node)) {
    return LookedInto{.node = *node, .program = *std::move(name)};
  }
  std::string head(kHeadBytes, '\0');
  const auto count = files.read(**node, 0, std::as_writable_bytes(std::span(head)), asks);
  if (!count) return count.error();
  head.resize(*count);
  if (head.starts_with("#!")) {
    Strings words = words_of(std::string_view(head).substr(2, head.find('\n', 2) - 2));
    if (words.empty()) return Errno::kNoexec;
    return LookedInto{.node = *node, .program = {}, .interpreter = std::move(words)};
  }
  if (!head.starts_with("\x7f"
                        "ELF"))
    return Errno::kNoexec;
  return LookedInto{.node = *node, .program = std::string(path)};
}

// Linux's TASK_COMM_LEN without the NUL.
constexpr std::size_t kCommMax = 15;

std::string comm_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string((slash == path.npos ? path : path.substr(slash + 1)).substr(0, kCommMax));
}

}  // namespace

bool arguments_too_big(const Strings& argv, const Strings& env) {
  std::size_t total = 0;
  for (const Strings* strings : {&argv, &env}) {
    for (const std::string& text : *strings) {
      if (text.size() >= kMaxArgument) return true;
      total += text.size() + 1 + sizeof(char*);
    }
  }
  return total > kMaxArguments;
}

Result<Executable> find_executable(const ProcessEntry& caller, std::string_view path,
                                   Strings argv) {
  if (argv.empty()) argv.emplace_back();  // As Linux since 5.18: a program can rely on an argv[0].
  std::string at(path);
  if (caller.files() == nullptr) {
    Result<ProcessBody> main = caller.kernel.find_program(caller.box, at);
    if (!main) return main.error();
    return Executable{.main = *std::move(main), .argv = std::move(argv), .comm = comm_of(path)};
  }
  for (int depth = 0; depth < kMaxInterpreters; ++depth) {
    Result<LookedInto> found = look_into(caller, at);
    if (!found) return found.error();
    if (found->interpreter.empty()) {
      Result<ProcessBody> main = caller.kernel.find_program(caller.box, found->program);
      if (!main) return Errno::kNoexec;
      return Executable{.main = *std::move(main),
                        .argv = std::move(argv),
                        .comm = comm_of(path),
                        .exe = std::move(found->node)};
    }
    argv.front() = at;
    at = found->interpreter.front();
    argv.insert(argv.begin(), found->interpreter.begin(), found->interpreter.end());
  }
  return Errno::kLoop;
}

}  // namespace sandproof::machine

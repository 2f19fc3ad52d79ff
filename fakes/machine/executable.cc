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

struct Found {
  std::string program;  // Of the machine, or
  Strings interpreter;  // of a script.
};

Result<Found> look_into(const ProcessEntry& caller, std::string_view path) {
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
    return Found{.program = *std::move(name), .interpreter = {}};
  }
  std::string head(kHeadBytes, '\0');
  const auto count = files.read(**node, 0, std::as_writable_bytes(std::span(head)), asks);
  if (!count) return count.error();
  head.resize(*count);
  if (head.starts_with("#!")) {
    Strings words = words_of(std::string_view(head).substr(2, head.find('\n', 2) - 2));
    if (words.empty()) return Errno::kNoexec;
    return Found{.program = {}, .interpreter = std::move(words)};
  }
  if (!head.starts_with("\x7f"
                        "ELF"))
    return Errno::kNoexec;
  return Found{.program = std::string(path), .interpreter = {}};
}

}  // namespace

Result<Executable> find_executable(const ProcessEntry& caller, std::string_view path,
                                   Strings argv) {
  if (argv.empty()) argv.emplace_back();  // As Linux since 5.18: a program can rely on an argv[0].
  std::string at(path);
  if (caller.files() == nullptr) {
    const Result<const ProgramRow*> row = caller.kernel.find_program(at);
    if (!row) return row.error();
    return Executable{.main = (*row)->main, .argv = std::move(argv)};
  }
  for (int depth = 0; depth < kMaxInterpreters; ++depth) {
    Result<Found> found = look_into(caller, at);
    if (!found) return found.error();
    if (found->interpreter.empty()) {
      const Result<const ProgramRow*> row = caller.kernel.find_program(found->program);
      if (!row) return Errno::kNoexec;
      return Executable{.main = (*row)->main, .argv = std::move(argv)};
    }
    argv.front() = at;
    at = found->interpreter.front();
    argv.insert(argv.begin(), found->interpreter.begin(), found->interpreter.end());
  }
  return Errno::kLoop;
}

}  // namespace sandproof::machine

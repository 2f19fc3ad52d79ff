// SPDX-License-Identifier: Apache-2.0
// Words to what a command gets of them.
#include <map>

#include "fakes/machine/shell/expand/field_split.h"
#include "fakes/machine/shell/expand/word.h"
#include "fakes/machine/shell/run/expansion.h"

namespace sandproof::machine::shell {
namespace {

constexpr std::size_t kReadBytes = 4096;

}  // namespace

// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace words_detail {

// Pathname expansion asks for directories, and listing one may wait its turn. So it runs with what
// is known, tells what it missed, and runs again: once for each level of the pattern at most.
class Directories {
 public:
  explicit Directories(Process& process) : process_(process) {}

  DirectoryReader reader() {
    return {.names_of = [this](const std::string& path) { return names_of(path); },
            .exists = [this](const std::string& path) { return exists(path); }};
  }

  /// Lists what was asked for and not known; whether there was something.
  Task<bool> fill() {
    bool any = false;
    for (auto& [path, listing] : known_) {
      if (listing.asked) continue;
      listing.asked = true;
      any = true;
      co_await list(path, listing);
    }
    co_return any;
  }

 private:
  struct Listing {
    bool asked = false;
    std::optional<std::vector<std::string>> names = {};
  };

  std::optional<std::vector<std::string>> names_of(const std::string& path) {
    return known_[path].names;
  }

  bool exists(const std::string& path) {
    const bool directory = path.ends_with('/');
    const auto found = process_.stat(path, directory ? Follow::kYes : Follow::kNo);
    return found && (!directory || found->type == FileType::kDirectory);
  }

  Task<void> list(const std::string& path, Listing& listing) {
    OpenOptions options;
    options.flags.read = true;
    options.flags.directory = true;
    options.close_on_exec = true;
    std::string place = path;
    if (place.empty()) place = ".";
    const Result<int> fd = co_await process_.open(place, options);
    if (!fd) co_return;
    listing.names.emplace();
    for (;;) {
      const auto entries = process_.readdir(*fd);
      if (!entries || entries->empty()) break;
      for (const DirEntry& entry : *entries) listing.names->push_back(entry.name);
      co_await process_.yield_point();
    }
    (void)process_.close(*fd);
  }

  Process& process_;
  std::map<std::string, Listing> known_;
};

}  // namespace words_detail

namespace {

using words_detail::Directories;

}  // namespace

namespace {

// The word, if nothing in it is to be expanded, split or matched: most words are so.
const std::string* literal_of(const Word& word) {
  if (word.parts.size() != 1) return nullptr;
  const auto* const text = std::get_if<Text>(&word.parts.front().value);
  if (text == nullptr) return nullptr;
  const bool plain =
      text->quote != Quote::kNone ||
      (!text->text.empty() && text->text.find_first_of("*?[\\") == std::string::npos);
  return plain ? &text->text : nullptr;
}

}  // namespace

Task<void> Shell::expand_into(const Word& word, Strings& out) {
  if (const std::string* const literal = literal_of(word)) {
    out.push_back(*literal);
    co_return;
  }
  Expansion expansion(*this, true);
  co_await expansion.add(word, false);
  WordOptions options;
  if (const std::string* const ifs = state.variables.get("IFS")) options.ifs = *ifs;
  options.noglob = has(ShellOption::kNoglob);
  Directories directories(process);
  Strings words;
  do {
    words = finish_word(expansion.pieces(), options, directories.reader());
  } while (co_await directories.fill());
  for (std::string& one : words) out.push_back(std::move(one));
}

Task<std::string> Shell::expand_text(const Word& word) {
  Expansion expansion(*this, false);
  co_await expansion.add(word, false);
  co_return text_of(expansion.pieces());
}

Task<std::string> Shell::expand_pattern(const Word& word) {
  Expansion expansion(*this, false);
  co_await expansion.add(word, false);
  co_return pattern_of(expansion.pieces());
}

Task<std::string> Shell::expand_prompt(std::string text) {
  // A here-document's body is the same grammar; nothing but a delimiter could end it.
  Parser parser;
  parser.feed(": <<\001\n" + text + "\n\001\n");
  parser.finish();
  const ParseOutcome outcome = parser.next();
  if (outcome.kind != ParseOutcome::Kind::kCommand) co_return text;
  const auto& command = *outcome.list->items.front().and_or.first.commands.front();
  if (command.redirections.size() != 1) co_return text;
  Expansion expansion(*this, false);
  co_await expansion.add(command.redirections.front().here->body, true);
  std::string expanded = text_of(expansion.pieces());
  if (expanded.ends_with('\n')) expanded.pop_back();
  co_return expanded;
}

Task<std::string> output_of(Shell& shell, std::shared_ptr<const List> list) {
  shell.substitution_status = 0;
  if (list->items.empty()) co_return "";
  const Result<PipeFds> pipe = shell.process.pipe();
  if (!pipe) co_await shell.fail("Pipe call failed");
  const PipeFds fds = *pipe;
  Job& job = shell.state.jobs.add("");
  Shell::SubshellBody body = [list, fds](Shell& child) {
    (void)child.process.close(fds.read);
    if (fds.write != 1) {
      (void)child.process.dup2(fds.write, 1);
      (void)child.process.close(fds.write);
    }
    return child.run_list(*list, {.tested = false, .last = true});
  };
  const Result<Pid> child = shell.fork_subshell(std::move(body), false);
  (void)shell.process.close(fds.write);
  if (!child) {
    (void)shell.process.close(fds.read);
    shell.state.jobs.remove(job);
    co_await shell.fail("Cannot fork");
  }
  job.processes.push_back({.pid = *child});
  std::string output;
  std::string buffer(kReadBytes, '\0');
  bool too_long = false;
  for (;;) {
    const Result<std::size_t> count =
        co_await shell.process.read(fds.read, std::as_writable_bytes(std::span(buffer)));
    if (count.error() == Errno::kIntr) {
      (void)shell.trap_pending();
      continue;
    }
    if (!count || *count == 0) break;
    output.append(buffer, 0, *count);
    too_long = output.size() > kMaxExpansionBytes;
    if (too_long) break;
  }
  (void)shell.process.close(fds.read);
  shell.substitution_status = co_await shell.wait_job(job);
  if (too_long) co_await shell.fail("Out of space");
  std::erase(output, '\0');
  output.erase(output.find_last_not_of('\n') + 1);
  co_return output;
}

Task<std::optional<std::string>> home_of_user(Shell& shell, std::string user) {
  OpenOptions options;
  options.flags.read = true;
  options.close_on_exec = true;
  const Result<int> fd = co_await shell.process.open("/etc/passwd", options);
  if (!fd) co_return std::nullopt;
  std::string text;
  std::string buffer(kReadBytes, '\0');
  for (;;) {
    const Result<std::size_t> count =
        co_await shell.process.read(*fd, std::as_writable_bytes(std::span(buffer)));
    if (!count || *count == 0) break;
    text.append(buffer, 0, *count);
  }
  (void)shell.process.close(*fd);
  // name:password:uid:gid:comment:home:shell
  constexpr int kHomeField = 5;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(user + ":")) continue;
    for (int field = 0; field < kHomeField && !line.empty(); ++field) {
      line.remove_prefix(std::min(line.find(':'), line.size() - 1) + 1);
    }
    co_return std::string(line.substr(0, line.find(':')));
  }
  co_return std::nullopt;
}

}  // namespace sandproof::machine::shell

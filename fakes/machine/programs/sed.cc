// SPDX-License-Identifier: Apache-2.0
// sed: runs a script over each line.
#include <array>
#include <map>
#include <memory>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/sed_input.h"
#include "fakes/machine/programs/support/sed_script.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kSedLongs = {
    LongOption{"in-place", 'i', Takes::kMaybe},
    LongOption{"regexp-extended", 'r'},
    LongOption{"quiet", 'n'},
    LongOption{"silent", 'n'},
    LongOption{"expression", 'e', Takes::kArgument},
    LongOption{"file", 'f', Takes::kArgument},
};
constexpr Usage kSedUsage = {.text = "[-i[SFX]] [-nrE] [-f FILE]... [-e CMD]... [FILE]...",
                             .letters = "i::rEne:f:",
                             .longs = kSedLongs};

/// Where lines go: one that had no newline gets it when another follows.
struct SedSink {
  Output* out = nullptr;
  bool lacks_newline = false;
};

struct SedFile {
  SedFile(Process& self, OwnedFd its_fd) : fd(std::move(its_fd)), out(self, fd.get()) {}
  OwnedFd fd;
  Output out;
  SedSink sink{&out};
};

class Sed {
 public:
  Sed(Tool& tool, SedScript script, bool quiet)
      : tool_(tool), script_(std::move(script)), quiet_(quiet || script_.quiet) {
    in_range_.resize(script_.commands.size());
    range_end_.resize(script_.commands.size());
    stdout_.out = &tool.out;
  }

  /// False where a file that a command writes to cannot be made.
  Task<bool> open_files() {
    for (const SedCommand& command : script_.commands) {
      if (command.letter == 'r' || command.file.empty() || files_.contains(command.file)) continue;
      if (command.file == "/dev/stdout") continue;
      Result<OwnedFd> fd = co_await open_output(tool_.self, command.file, kToOverwrite);
      if (!fd) {
        co_await tool_.fail(command.file, fd.error());
        co_return false;
      }
      files_[command.file] = std::make_unique<SedFile>(tool_.self, *std::move(fd));
    }
    co_return true;
  }

  /// Over the lines of these files; false where it was told to quit.
  Task<bool> run(Strings paths, Output& out) {
    SedSink sink{&out};
    main_ = &sink;
    SedInput input(tool_, std::move(paths));
    input_ = &input;
    bool ended = true;
    while (!quits_) {
      if (!restarts_) {
        if (!co_await input.next(pattern_, ended)) break;
        ++line_;
        pattern_ended_ = ended;
      }
      restarts_ = false;
      replaced_ = false;
      deleted_ = false;
      co_await cycle();
      if (!quiet_ && !deleted_) co_await emit(*main_, pattern_, pattern_ended_);
      co_await flush_appended();
      if (out.error() != Errno::kOk) break;
    }
    co_return !quits_;
  }

  Task<void> flush_files() {
    for (const auto& [name, file] : files_) {
      if (!co_await file->out.flush()) co_await tool_.fail(name, file->out.error());
    }
  }

 private:
  Task<void> emit(SedSink& sink, std::string_view text, bool newline) {
    std::string line;
    if (sink.lacks_newline) line = "\n";
    line += text;
    if (newline) line += '\n';
    sink.lacks_newline = !newline;
    (void)co_await sink.out->put(line);
  }

  bool search(const std::optional<Regex>& regex, std::size_t from, Regex::Match& match) {
    if (regex) last_regex_ = *regex;
    return last_regex_ && last_regex_->search(pattern_, from, match);
  }

  bool at(const SedAddress& address) {
    Regex::Match match;
    switch (address.kind) {
      case SedAddress::Kind::kLine:
        return line_ == address.number;
      case SedAddress::Kind::kLast:
        return input_->at_last();
      case SedAddress::Kind::kRegex:
        return search(address.regex, 0, match);
      default:
        return true;
    }
  }

  bool selected(std::size_t which) {
    const SedCommand& command = script_.commands[which];
    if (command.last.kind == SedAddress::Kind::kNone) return at(command.first) != command.inverted;
    return within(which) != command.inverted;
  }

  bool within(std::size_t which) {
    const SedCommand& command = script_.commands[which];
    if (!in_range_[which]) {
      if (!at(command.first)) return false;
      in_range_[which] = true;
      range_end_[which] = command.last.number;
      if (command.last.kind == SedAddress::Kind::kPlus) range_end_[which] += line_;
      if (command.last.kind == SedAddress::Kind::kRegex) return true;
      // A line that has gone by ends it at once.
      const bool numbered = command.last.kind != SedAddress::Kind::kLast;
      if (numbered ? range_end_[which] <= line_ : input_->at_last()) in_range_[which] = false;
      return true;
    }
    if (command.last.kind == SedAddress::Kind::kRegex ||
        command.last.kind == SedAddress::Kind::kLast) {
      if (at(command.last)) in_range_[which] = false;
      return true;
    }
    if (line_ >= range_end_[which]) in_range_[which] = false;
    return line_ <= range_end_[which] || command.first.kind != SedAddress::Kind::kLine;
  }

  Task<void> cycle() {
    for (std::size_t which = 0; which < script_.commands.size();) {
      co_await tool_.self.yield_point();
      const SedCommand& command = script_.commands[which];
      const bool chosen = selected(which);
      if (command.letter == '{') {
        which = chosen ? which + 1 : command.target;
        continue;
      }
      ++which;
      if (!chosen) continue;
      if (command.letter == 'b' || (command.letter == 't' && replaced_) ||
          (command.letter == 'T' && !replaced_)) {
        if (command.letter == 't') replaced_ = false;
        which = command.target;
        continue;
      }
      if (command.letter == 'T') replaced_ = false;
      if (!co_await one(command, which - 1)) co_return;
      if (pattern_.size() + hold_.size() <= kMaxHeldBytes) continue;
      co_await tool_.fail("pattern space", Errno::kNomem);
      quits_ = true;
      co_return;
    }
  }

  /// False where the cycle ends with it.
  Task<bool> one(const SedCommand& command, std::size_t which) {
    switch (command.letter) {
      case '=':
        co_await emit(*main_, std::to_string(line_), true);
        break;
      case 'a':
        appended_.push_back({.text = command.text});
        break;
      case 'r':
        appended_.push_back({.text = command.file, .is_file = true});
        break;
      case 'i':
        co_await emit(*main_, std::string_view(command.text).substr(0, command.text.size() - 1),
                      true);
        break;
      case 'c':
        if (command.inverted || !in_range_[which]) {
          co_await emit(*main_, std::string_view(command.text).substr(0, command.text.size() - 1),
                        true);
        }
        deleted_ = true;
        co_return false;
      case 'd':
        deleted_ = true;
        co_return false;
      case 'D':
        co_return delete_first_line();
      case 'n':
      case 'N':
        co_return co_await next_line(command.letter == 'N');
      case 'p':
        co_await emit(*main_, pattern_, true);
        break;
      case 'P':
        co_await emit(*main_, std::string_view(pattern_).substr(0, pattern_.find('\n')), true);
        break;
      case 'q':
        quits_ = true;
        co_return false;
      case 's':
        co_await substitute(command);
        break;
      case 'w':
        co_await emit(sink_of(command.file), pattern_, pattern_ended_);
        break;
      default:
        quiet_command(command);
    }
    co_return true;
  }

  void quiet_command(const SedCommand& command) {
    switch (command.letter) {
      case 'g':
        pattern_ = hold_;
        break;
      case 'G':
        // What comes from the hold space is a line of its own, also at the end of a file without.
        pattern_ended_ = true;
        pattern_ += '\n';
        pattern_ += hold_;
        break;
      case 'h':
        hold_ = pattern_;
        break;
      case 'H':
        hold_ += '\n';
        hold_ += pattern_;
        break;
      case 'x':
        pattern_.swap(hold_);
        pattern_ended_ = true;
        break;
      case 'y':
        for (char& letter : pattern_) {
          for (std::size_t at = 0; at < command.text.size(); at += 2) {
            if (command.text[at] != letter) continue;
            letter = command.text[at + 1];
            break;
          }
        }
        break;
      default:  // ':' and '}', and 'l', which busybox reads and does not do.
        break;
    }
  }

  bool delete_first_line() {
    deleted_ = true;
    const std::size_t newline = pattern_.find('\n');
    if (newline != pattern_.npos) {
      pattern_.erase(0, newline + 1);
      restarts_ = true;
    }
    return false;
  }

  Task<bool> next_line(bool joins) {
    if (input_->at_last()) {
      // GNU's way, which busybox takes too: what is there is printed, and that was it.
      quits_ = true;
      co_return false;
    }
    if (!joins && !quiet_) co_await emit(*main_, pattern_, pattern_ended_);
    co_await flush_appended();
    std::string line;
    (void)co_await input_->next(line, pattern_ended_);
    ++line_;
    if (joins) {
      pattern_ += '\n';
      pattern_ += line;
      if (pattern_.size() > kMaxHeldBytes) {
        co_await tool_.fail("pattern space", Errno::kNomem);
        quits_ = true;
        co_return false;
      }
    } else {
      pattern_ = std::move(line);
    }
    co_return true;
  }

  SedSink& sink_of(const std::string& file) {
    if (file == "/dev/stdout") return main_->out == &tool_.out ? *main_ : stdout_;
    return files_.at(file)->sink;
  }

  Task<void> substitute(const SedCommand& command) {
    const SedReplacement& replacement = command.replacement;
    std::string result;
    std::size_t at = 0;
    std::size_t count = 0;
    bool any = false;
    Regex::Match match;
    std::size_t last_end = Regex::npos;
    while (at <= pattern_.size() && search(command.regex, at, match)) {
      const Regex::Range whole = match[0];
      result.append(pattern_, at, whole.begin - at);
      ++count;
      // An empty match right after another one is counted, and left out where all are replaced.
      const bool adjoins = whole.length() == 0 && whole.begin == last_end;
      const bool chosen =
          replacement.all ? count >= replacement.which && !adjoins : count == replacement.which;
      if (chosen) {
        any = true;
        for (const SedReplacement::Part& part : replacement.parts) {
          if (part.group < 0) {
            result += part.text;
          } else if (const Regex::Range group = match[static_cast<std::size_t>(part.group)];
                     group.matched()) {
            result.append(pattern_, group.begin, group.length());
          }
        }
      } else {
        result.append(pattern_, whole.begin, whole.length());
      }
      at = last_end = whole.end;
      if (whole.length() == 0) {
        if (at < pattern_.size()) result += pattern_[at];
        ++at;
      }
      if (chosen && !replacement.all) break;
      if (result.size() > kMaxHeldBytes) break;
    }
    if (!any) co_return;
    if (at < pattern_.size()) result.append(pattern_, at);
    pattern_ = std::move(result);
    replaced_ = true;
    if (replacement.print) co_await emit(*main_, pattern_, pattern_ended_);
    if (!command.file.empty()) co_await emit(sink_of(command.file), pattern_, pattern_ended_);
  }

  Task<void> flush_appended() {
    for (const Appended& appended : appended_) {
      if (!appended.is_file) {
        const std::string_view text(appended.text);
        co_await emit(*main_, text.substr(0, text.size() - 1), true);
        continue;
      }
      // One that is not there is as if it were empty.
      const Result<std::string> text = co_await read_file(tool_.self, appended.text);
      if (!text || text->empty()) continue;
      const bool newline = text->ends_with('\n');
      co_await emit(*main_, std::string_view(*text).substr(0, text->size() - (newline ? 1 : 0)),
                    newline);
    }
    appended_.clear();
  }

  struct Appended {
    std::string text;
    bool is_file = false;
  };

  Tool& tool_;
  SedScript script_;
  bool quiet_;
  std::vector<bool> in_range_;
  std::vector<std::size_t> range_end_;
  std::map<std::string, std::unique_ptr<SedFile>> files_;
  SedSink stdout_;
  SedSink* main_ = nullptr;
  SedInput* input_ = nullptr;
  std::size_t line_ = 0;
  std::string pattern_;
  bool pattern_ended_ = true;
  std::string hold_;
  std::vector<Appended> appended_;
  std::optional<Regex> last_regex_;
  bool replaced_ = false;
  bool deleted_ = false;
  bool restarts_ = false;
  bool quits_ = false;
};

/// The file is written beside itself and takes its own place.
Task<bool> edit_in_place(Tool& tool, Sed& sed, std::string path, std::string suffix) {
  const Result<Attributes> before = tool.self.stat(path);
  const std::string beside = path + ".sed-" + std::to_string(tool.self.pid());
  Result<OwnedFd> fd = before.error() == Errno::kOk ? Errno::kIo : before.error();
  if (before) fd = co_await open_output(tool.self, beside, kToOverwrite);
  if (!fd) {
    co_await tool.fail(path, fd.error());
    co_return true;
  }
  Output out(tool.self, fd->get());
  Strings paths = {path};
  const bool goes_on = co_await sed.run(std::move(paths), out);
  if (!co_await out.flush()) {
    co_await tool.fail(beside, out.error());
    (void)tool.self.unlink(beside);
    co_return goes_on;
  }
  (void)tool.self.chmod(beside, before->mode);
  const NewOwner owner = {.uid = before->uid, .gid = before->gid};
  (void)tool.self.chown(beside, owner);
  if (!suffix.empty()) (void)tool.self.rename(path, path + suffix);
  const Result<void> placed = tool.self.rename(beside, path);
  if (!placed) co_await tool.fail(path, placed.error());
  co_return goes_on;
}

/// The pieces in their order, joined by newlines; nothing after a complaint.
Task<std::optional<std::string>> sed_text(Tool& tool, Options& options) {
  std::optional<std::string> text;
  for (const Options::Given& given : options.given) {
    if (given.letter != 'e' && given.letter != 'f') continue;
    std::string piece = given.value.value_or("");
    if (given.letter == 'f') {
      Result<std::string> file = co_await read_file(tool.self, piece);
      if (!file) {
        co_await tool.fail(piece, file.error());
        co_return std::nullopt;
      }
      piece = *std::move(file);
      if (piece.ends_with('\n')) piece.pop_back();
    }
    text = text ? *text + "\n" + piece : piece;
  }
  if (!text) {
    if (options.operands.empty()) {
      tool.status = co_await tool.misuse();
      co_return std::nullopt;
    }
    text = options.operands.front();
    options.operands.erase(options.operands.begin());
  }
  co_return text;
}

Task<int> run_sed(Process& self) {
  Tool tool(self, kSedUsage);
  if (self.argv().size() == 2 && self.argv()[1] == "--version") {
    // What configure scripts look for.
    (void)co_await tool.out.put("This is not GNU sed version 4.0\n");
    co_return co_await tool.finish();
  }
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::optional<std::string> text = co_await sed_text(tool, *options);
  if (!text) co_return tool.status;
  SedScript script;
  const std::string wrong = read_sed_script(*text, options->has_any("rE"), script);
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  const bool in_place = options->has('i');
  if (in_place && options->operands.empty()) {
    co_await tool.fail("-i requires an argument");
    co_return tool.status;
  }
  Sed sed(tool, std::move(script), options->has('n'));
  if (!co_await sed.open_files()) co_return tool.status;
  if (options->operands.empty()) options->operands.emplace_back("-");
  if (!in_place) {
    (void)co_await sed.run(options->operands, tool.out);
  } else {
    const std::string suffix = options->value('i').value_or("");
    for (const std::string& path : options->operands) {
      if (!co_await edit_in_place(tool, sed, path, suffix)) break;
    }
  }
  co_await sed.flush_files();
  co_return co_await tool.finish();
}

}  // namespace

Task<int> sed_main(Process& self) { return run_sed(self); }

}  // namespace sandproof::machine::programs

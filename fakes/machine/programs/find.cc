// SPDX-License-Identifier: Apache-2.0
// find: walks trees, and tests and does what its expression says.
#include <algorithm>
#include <cctype>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/find_expression.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kFindUsage = {.text = "[-HL] [PATH]... [OPTIONS] [ACTIONS]"};
// Bytes of words that one command of "-exec … +" gets: as busybox, which leaves room for the
// environment in what Linux takes.
constexpr std::size_t kFindBatchBytes = 32 * 1024;

struct FoundFile {
  std::string path;
  Attributes file;
  std::int64_t depth = 0;
};

class Find {
 public:
  Find(Tool& tool, FindPlan plan) : tool_(tool), plan_(std::move(plan)) {
    batches_.resize(plan_.batches);
    now_ = tool.self.wall_time().count();
  }

  /// False after a complaint: a file that a test names is not there.
  Task<bool> prepare() { co_return co_await look_up(plan_.root); }

  Task<void> walk_from(std::string path) {
    const bool follow = plan_.follow || plan_.follow_named;
    Result<Attributes> file = tool_.self.stat(path, follow ? Follow::kYes : Follow::kNo);
    if (!file && follow) file = tool_.self.stat(path, Follow::kNo);
    if (!file) {
      co_await tool_.fail(path, file.error());
      co_return;
    }
    volume_ = file->volume;
    FoundFile top{.path = std::move(path), .file = *file};
    co_await visit(std::move(top));
  }

  Task<void> finish() { co_await run_batches(plan_.root); }
  bool quits() const { return quits_ || tool_.out.error() != Errno::kOk; }

 private:
  using Kind = FindNode::Kind;

  Task<bool> look_up(FindNode& node) {
    for (FindNode& part : node.parts) {
      if (!co_await look_up(part)) co_return false;
    }
    if (node.file.empty()) co_return true;
    const Result<Attributes> file = tool_.self.stat(node.file);
    if (!file) {
      const std::string what = "can't stat '" + node.file + "'";
      co_await tool_.fail(what, file.error());
      co_return false;
    }
    if (node.kind == Kind::kNewer) node.number.value = file->modified;
    if (node.kind == Kind::kSameFile) {
      node.number.value = static_cast<std::int64_t>(file->ino);
      node.unit = static_cast<std::int64_t>(file->volume);
    }
    co_return true;
  }

  Task<void> visit(FoundFile at) {
    co_await tool_.self.yield_point();
    pruned_ = false;
    if (!plan_.depth) co_await judge(at);
    const bool into = at.file.type == FileType::kDirectory && !pruned_ && !quits() &&
                      at.depth < plan_.most_depth &&
                      (!plan_.one_volume || at.file.volume == volume_);
    if (into) co_await below(at);
    if (plan_.depth && !quits()) co_await judge(at);
  }

  Task<void> below(const FoundFile& folder) {
    const Result<Strings> names = co_await list_names(tool_.self, folder.path);
    if (!names) {
      co_await tool_.fail(folder.path, names.error());
      co_return;
    }
    for (const std::string& name : *names) {
      if (quits()) co_return;
      FoundFile inner{.path = join_path(folder.path, name), .file = {}, .depth = folder.depth + 1};
      Result<Attributes> file =
          tool_.self.stat(inner.path, plan_.follow ? Follow::kYes : Follow::kNo);
      if (!file && plan_.follow) file = tool_.self.stat(inner.path, Follow::kNo);
      if (!file) {
        co_await tool_.fail(inner.path, file.error());
        continue;
      }
      inner.file = *file;
      co_await visit(std::move(inner));
    }
  }

  Task<void> judge(const FoundFile& at) {
    if (at.depth < plan_.least_depth) co_return;
    const bool so = co_await holds(plan_.root, at);
    if (so && !plan_.acts && !quits_) (void)co_await tool_.out.put(at.path + "\n");
  }

  Task<bool> holds(const FindNode& node, const FoundFile& at) {
    switch (node.kind) {
      case Kind::kAnd:
        for (const FindNode& part : node.parts) {
          if (!co_await holds(part, at)) co_return false;
          if (quits_) co_return false;
        }
        co_return true;
      case Kind::kOr:
        for (const FindNode& part : node.parts) {
          if (co_await holds(part, at)) co_return true;
          if (quits_) co_return false;
        }
        co_return false;
      case Kind::kNot: {
        const bool inner = co_await holds(node.parts.front(), at);
        co_return !inner;
      }
      case Kind::kPrint:
        (void)co_await tool_.out.put(at.path + "\n");
        co_return true;
      case Kind::kPrint0:
        (void)co_await tool_.out.put(at.path + '\0');
        co_return true;
      case Kind::kExec:
        co_return co_await execute(node, at.path);
      case Kind::kEmpty:
        co_return co_await is_empty(at);
      case Kind::kQuit:
        quits_ = true;
        co_return false;
      case Kind::kPrune:
        pruned_ = true;
        co_return true;
      default:
        co_return test(node, at);
    }
  }

  static bool compare(const FindNumber& number, std::int64_t value) {
    if (number.sign == '+') return value > number.value;
    if (number.sign == '-') return value < number.value;
    return value == number.value;
  }

  static bool text_matches(const FindNode& node, std::string text) {
    if (node.ignore_case) {
      std::transform(text.begin(), text.end(), text.begin(),
                     [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    }
    return node.pattern->matches(text);
  }

  bool test(const FindNode& node, const FoundFile& at) {
    const Attributes& file = at.file;
    switch (node.kind) {
      case Kind::kName:
        return text_matches(node, std::string(base_name(at.path)));
      case Kind::kPath:
        return text_matches(node, at.path);
      case Kind::kRegex:
        return node.regex->matches(at.path);
      case Kind::kType:
        return is_type(node.letter, file.type);
      case Kind::kPerm:
        return permits(node.number, file.mode);
      case Kind::kTime:
        return of_age(node, file);
      case Kind::kNewer:
        return file.modified > node.number.value;
      case Kind::kSize:
        return compare(node.number, static_cast<std::int64_t>(file.size));
      case Kind::kLinks:
        return compare(node.number, file.links);
      case Kind::kInode:
        return static_cast<std::int64_t>(file.ino) == node.number.value;
      case Kind::kSameFile:
        return static_cast<std::int64_t>(file.ino) == node.number.value &&
               static_cast<std::int64_t>(file.volume) == node.unit;
      case Kind::kUser:
        return file.uid == node.number.value;
      case Kind::kGroup:
        return file.gid == node.number.value;
      case Kind::kExecutable:
        return tool_.self.access(at.path, {.execute = true}).ok();
      default:
        return true;
    }
  }

  static bool is_type(char letter, FileType type) {
    switch (type) {
      case FileType::kRegular:
        return letter == 'f';
      case FileType::kDirectory:
        return letter == 'd';
      case FileType::kSymlink:
        return letter == 'l';
      case FileType::kFifo:
        return letter == 'p';
      case FileType::kCharDevice:
        return letter == 'c';
    }
    return false;
  }

  static bool permits(const FindNumber& number, unsigned mode) {
    const auto bits = static_cast<unsigned>(number.value);
    if (number.sign == '-') return (mode & bits) == bits;
    if (number.sign != 0) return bits == 0 || (mode & bits) != 0;
    return mode == bits;
  }

  bool of_age(const FindNode& node, const Attributes& file) const {
    const TimeNs when = node.letter == 'a'   ? file.accessed
                        : node.letter == 'c' ? file.changed
                                             : file.modified;
    const std::int64_t age = (now_ - when) / 1'000'000'000;
    const std::int64_t begin = node.number.value * node.unit;
    if (node.number.sign == '+') return age >= begin + node.unit;
    if (node.number.sign == '-') return age < begin;
    return age >= begin && age < begin + node.unit;
  }

  Task<bool> is_empty(const FoundFile& at) {
    if (at.file.type == FileType::kRegular) co_return at.file.size == 0;
    if (at.file.type != FileType::kDirectory) co_return false;
    const Result<Strings> names = co_await list_names(tool_.self, at.path);
    const bool empty = names.ok() && names->empty();
    co_return empty;
  }

  static std::string with_path(std::string word, const std::string& path) {
    for (std::size_t at = 0; (at = word.find("{}", at)) != word.npos; at += path.size()) {
      word.replace(at, 2, path);
    }
    return word;
  }

  Task<bool> execute(const FindNode& node, std::string path) {
    if (node.many) {
      Batch& batch = batches_[node.batch];
      batch.bytes += path.size() + 1;
      batch.paths.push_back(std::move(path));
      if (batch.bytes >= kFindBatchBytes) co_await run_batch(node);
      co_return true;
    }
    Strings argv;
    for (const std::string& word : node.command) argv.push_back(with_path(word, path));
    co_return co_await run(std::move(argv));
  }

  Task<bool> run(Strings argv) {
    (void)co_await tool_.out.flush();
    const std::string name = argv.front();
    const CommandEnd end = co_await run_command(tool_.self, std::move(argv));
    if (end.failure != Errno::kOk) {
      std::string why = name + ": ";
      why += text_of(end.failure);
      co_await tool_.say(why);
      co_return false;
    }
    co_return end.status == WaitStatus::exited(0);
  }

  Task<void> run_batch(const FindNode& node) {
    Batch batch = std::exchange(batches_[node.batch], {});
    if (batch.paths.empty()) co_return;
    Strings argv;
    for (const std::string& word : node.command) {
      if (word.find("{}") == word.npos) {
        argv.push_back(word);
        continue;
      }
      for (const std::string& path : batch.paths) argv.push_back(with_path(word, path));
    }
    if (!co_await run(std::move(argv))) tool_.status = 1;
  }

  Task<void> run_batches(const FindNode& node) {
    for (const FindNode& part : node.parts) co_await run_batches(part);
    if (node.kind == Kind::kExec && node.many) co_await run_batch(node);
  }

  struct Batch {
    Strings paths;
    std::size_t bytes = 0;
  };

  Tool& tool_;
  FindPlan plan_;
  std::vector<Batch> batches_;
  std::uint64_t volume_ = 0;
  TimeNs now_ = 0;
  bool pruned_ = false;
  bool quits_ = false;
};

struct FindWords {
  Strings paths;
  Strings expression;
  bool follow = false;
  bool follow_named = false;
};

FindWords split_words(const Strings& argv) {
  FindWords words;
  std::size_t at = 1;
  for (; at < argv.size() && (argv[at] == "-H" || argv[at] == "-L" || argv[at] == "-P"); ++at) {
    words.follow = argv[at] == "-L";
    words.follow_named = argv[at] != "-P";
  }
  for (; at < argv.size(); ++at) {
    const std::string& word = argv[at];
    if (word.starts_with('-') || word == "!" || word == "(") break;
    words.paths.push_back(word);
  }
  words.expression.assign(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end());
  if (words.paths.empty()) words.paths.emplace_back(".");
  return words;
}

Task<int> run_find(Process& self) {
  Tool tool(self, kFindUsage);
  if (self.argv().size() == 2 && self.argv()[1] == "--help") co_return co_await tool.show_usage(0);
  FindWords words = split_words(self.argv());
  const Users users = co_await Users::load(self);
  FindPlan plan;
  std::optional<FindError> wrong;
  try {
    plan = read_find_expression(words.expression, users);
  } catch (const FindError& error) {
    wrong = error;
  }
  if (wrong) {
    co_await tool.fail(wrong->text);
    if (wrong->misuse) co_return co_await tool.misuse();
    co_return tool.status;
  }
  plan.follow = plan.follow || words.follow;
  plan.follow_named = plan.follow_named || words.follow_named;
  Find find(tool, std::move(plan));
  if (!co_await find.prepare()) co_return tool.status;
  for (const std::string& path : words.paths) {
    if (find.quits()) break;
    co_await find.walk_from(path);
  }
  co_await find.finish();
  co_return co_await tool.finish();
}

}  // namespace

Task<int> find_main(Process& self) { return run_find(self); }

}  // namespace sandproof::machine::programs

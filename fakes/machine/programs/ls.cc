// SPDX-License-Identifier: Apache-2.0
// ls: lists directories. There is no terminal, so that a name is a line unless -C or -x says
// otherwise; --color=always is not painted.
#include <algorithm>
#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/calendar.h"
#include "fakes/machine/programs/support/file_names.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"
#include "fakes/machine/programs/support/users.h"
#include "fakes/machine/vfs/devices.h"

namespace sandproof::machine::programs {
namespace {

// Letters that no option has, for long names.
constexpr char kFullTime = '\1';
constexpr char kDirectoriesFirst = '\2';
constexpr char kColor = '\3';
constexpr std::array kLsLongs = {
    LongOption{"full-time", kFullTime},
    LongOption{"group-directories-first", kDirectoriesFirst},
    LongOption{"color", kColor, Takes::kMaybe},
};
constexpr Usage kLsUsage = {.text = "[-1AaCxdLHRFplinshrSXvctu] [-w WIDTH] [FILE]...",
                            .letters = "CadlinsAkgpxQFRtSXrcuvLHhT:w:1",
                            .longs = kLsLongs};
// What busybox takes for the width of what is no terminal.
constexpr std::uint64_t kLsWidth = 79;
// Half a year and a quarter of an hour, seconds: what is older or newer shows its year.
constexpr std::int64_t kRecentSeconds = std::int64_t{3600} * 24 * 365 / 2;
constexpr std::int64_t kSoonSeconds = 15 * 60;

struct ListedFile {
  std::string path;
  std::string name;  // As it is shown.
  Attributes file;
};

class Listing {
 public:
  Listing(Tool& tool, const Options& options, Users users)
      : tool_(tool), options_(options), users_(std::move(users)), zone_(zone_of(tool.self)) {
    long_ = options.last_of("Cxl1gn") == 'l' || options.has_any("gn") || options.has(kFullTime);
    columns_ = !long_ && options.last_of("Cx1l") != '1' && options.has_any("Cx");
    hides_user_ = options.has('g');
    if (const auto width = options.value('w')) width_ = read_unsigned(*width).value_or(kLsWidth);
  }

  Task<void> all(const Strings& paths) {
    std::vector<ListedFile> files;
    std::vector<ListedFile> directories;
    const bool follow = options_.has_any("LH") || !(long_ || options_.has_any("dF"));
    for (const std::string& path : paths) {
      Result<Attributes> found = tool_.self.stat(path, follow ? Follow::kYes : Follow::kNo);
      if (!found && follow) found = tool_.self.stat(path, Follow::kNo);
      if (!found) {
        co_await tool_.fail(path, found.error());
        continue;
      }
      const bool directory = found->type == FileType::kDirectory && !options_.has('d');
      (directory ? directories : files).push_back({path, path, *found});
    }
    headers_ = paths.size() > 1 || options_.has('R');
    sort(files);
    sort(directories);
    if (!files.empty()) co_await show(files);
    co_await show_directories(std::move(directories));
  }

 private:
  Task<void> show_directories(std::vector<ListedFile> directories) {
    for (const ListedFile& directory : directories) {
      if (tool_.out.error() != Errno::kOk) co_return;
      co_await one_directory(directory.path);
    }
  }

  Task<void> one_directory(std::string path) {
    const bool all = options_.has('a');
    // Open until all is listed: a listing of /proc/self/fd has the directory itself.
    const Result<OwnedFd> directory = co_await open_directory(tool_.self, path);
    Result<Strings> names = Strings();
    if (directory) {
      names = co_await list_names(tool_.self, *directory);
    } else {
      names = directory.error();
    }
    if (headers_) {
      const std::string header = (any_ ? "\n" : "") + path + ":\n";
      (void)co_await tool_.out.put(header);
      any_ = true;
    }
    if (!names) {
      const std::string what = "can't open '" + path + "'";
      co_await tool_.fail(what, names.error());
      co_return;
    }
    if (all) names->insert(names->begin(), {".", ".."});
    std::vector<ListedFile> files;
    for (const std::string& name : *names) {
      if (name.starts_with('.') && !all && !options_.has('A')) continue;
      const std::string full = join_path(path, name);
      const Follow follow = options_.has('L') ? Follow::kYes : Follow::kNo;
      Result<Attributes> found = tool_.self.stat(full, follow);
      if (!found && options_.has('L')) found = tool_.self.stat(full, Follow::kNo);
      if (!found) {
        co_await tool_.fail(full, found.error());
        continue;
      }
      files.push_back({full, name, *found});
    }
    sort(files);
    co_await total(files);
    if (!files.empty()) co_await show(files);
    if (!options_.has('R')) co_return;
    std::erase_if(files, [](const ListedFile& listed) {
      return listed.file.type != FileType::kDirectory || is_dots(listed.name);
    });
    co_await show_directories(std::move(files));
  }

  Task<void> total(const std::vector<ListedFile>& files) {
    if (!long_ && !options_.has('s')) co_return;
    std::uint64_t blocks = 0;
    for (const ListedFile& listed : files) blocks += listed.file.blocks;
    std::string line = "total " + std::to_string(blocks / 2) + "\n";
    if (options_.has('h')) line = printed("total %-7s\n", total_size(blocks / 2).c_str());
    (void)co_await tool_.out.put(line);
  }

  /// In whole kilobytes as long as there is no larger unit.
  static std::string total_size(std::uint64_t kilobytes) {
    if (kilobytes == 0) return "0";
    return kilobytes < 1024 ? std::to_string(kilobytes) + "K" : human_size(kilobytes * 1024);
  }

  void sort(std::vector<ListedFile>& files) const {
    const char by = options_.last_of("tSXv");
    const auto before = [&](const ListedFile& a, const ListedFile& b) {
      if (options_.has(kDirectoriesFirst)) {
        const bool x = a.file.type == FileType::kDirectory;
        const bool y = b.file.type == FileType::kDirectory;
        if (x != y) return x;
      }
      int order = 0;
      if (by == 't') order = compare(time(b.file), time(a.file));
      if (by == 'S') order = compare(b.file.size, a.file.size);
      if (by == 'v') order = compare_versions(a.name, b.name);
      if (by == 'X') order = extension(a.name).compare(extension(b.name));
      if (order == 0) order = a.name.compare(b.name);
      return options_.has('r') ? order > 0 : order < 0;
    };
    std::sort(files.begin(), files.end(), before);
  }

  template <typename Value>
  static int compare(Value a, Value b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  static std::string_view extension(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == name.npos ? std::string_view() : name.substr(dot);
  }

  TimeNs time(const Attributes& file) const {
    const char which = options_.last_of("cu");
    if (which == 'c') return file.changed;
    return which == 'u' ? file.accessed : file.modified;
  }

  Task<void> show(const std::vector<ListedFile>& files) {
    any_ = true;
    Strings texts;
    std::size_t widest = 0;
    for (const ListedFile& listed : files) {
      texts.push_back(text_of_file(listed));
      widest = std::max(widest, texts.back().size());
      if (!columns_) {
        texts.back() += '\n';
        if (!co_await tool_.out.put(texts.back())) co_return;
      }
    }
    if (!columns_) co_return;
    const std::size_t column = widest + 2;
    const std::size_t count = std::max<std::size_t>(width_ / column, 1);
    const std::size_t rows = (texts.size() + count - 1) / count;
    for (std::size_t row = 0; row < rows; ++row) {
      std::string line;
      for (std::size_t at = 0; at < count; ++at) {
        const std::size_t which =
            options_.last_of("Cx") == 'x' ? row * count + at : at * rows + row;
        if (which >= texts.size()) continue;
        line.resize(at * column, ' ');
        line += texts[which];
      }
      if (!co_await tool_.out.put(line + "\n")) co_return;
    }
  }

  std::string text_of_file(const ListedFile& listed) {
    const Attributes& file = listed.file;
    std::string text;
    if (options_.has('i')) text += printed("%7llu ", static_cast<unsigned long long>(file.ino));
    if (options_.has('s')) {
      text += printed("%6llu ", static_cast<unsigned long long>(file.blocks / 2));
    }
    if (long_) text += long_part(file);
    text += printable_name(listed.name);
    if (long_ && file.type == FileType::kSymlink) {
      const Result<std::string> target = tool_.self.readlink(listed.path);
      if (target) text += " -> " + printable_name(*target);
    } else if (options_.has('F')) {
      if (const char mark = type_mark(file)) text += mark;
    } else if (options_.has('p') && file.type == FileType::kDirectory) {
      text += '/';
    }
    return text;
  }

  std::string long_part(const Attributes& file) {
    std::string text = mode_text(file.type, file.mode) + printed(" %4u ", file.links);
    const bool numbers = options_.has('n');
    const std::string user = numbers ? std::to_string(file.uid) : users_.user_text(file.uid);
    const std::string group = numbers ? std::to_string(file.gid) : users_.group_text(file.gid);
    if (!hides_user_) text += printed("%-8.8s ", user.c_str());
    text += printed("%-8.8s ", group.c_str());
    const DeviceRow* const device = find_device(file.device);
    if (device != nullptr) {
      text += printed("%4u, %3u ", device->major, device->minor);
    } else if (options_.has('h')) {
      text += printed("%7s ", human_size(file.size).c_str());
    } else {
      text += printed("%9llu ", static_cast<unsigned long long>(file.size));
    }
    const TimeNs when = time(file);
    if (options_.has(kFullTime)) return text + format_time("%Y-%m-%d %H:%M:%S %z ", when, zone_);
    const std::int64_t age = (tool_.self.wall_time().count() - when) / 1'000'000'000;
    const bool recent = age < kRecentSeconds && age > -kSoonSeconds;
    return text + format_time(recent ? "%b %e %H:%M " : "%b %e  %Y ", when, zone_);
  }

  Tool& tool_;
  const Options& options_;
  Users users_;
  Zone zone_;
  bool long_ = false;
  bool columns_ = false;
  bool hides_user_ = false;
  bool headers_ = false;
  bool any_ = false;  // Something has been shown: a header is set off from it.
  std::uint64_t width_ = kLsWidth;
};

Task<int> run_ls(Process& self) {
  Tool tool(self, kLsUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (options->operands.empty()) options->operands.emplace_back(".");
  Users users = co_await Users::load(self);
  Listing listing(tool, *options, std::move(users));
  co_await listing.all(options->operands);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> ls_main(Process& self) { return run_ls(self); }

}  // namespace sandproof::machine::programs

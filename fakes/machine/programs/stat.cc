// SPDX-License-Identifier: Apache-2.0
// stat: what is known of files, and of file systems.
#include <algorithm>
#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/calendar.h"
#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/users.h"
#include "fakes/machine/vfs/devices.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kStatLongs = {
    LongOption{"dereference", 'L'},
    LongOption{"format", 'c', Takes::kArgument},
    LongOption{"file-system", 'f'},
    LongOption{"terse", 't'},
};
constexpr Usage kStatUsage = {
    .text = "[-ltf] [-c FMT] FILE...", .letters = "ftLc:", .longs = kStatLongs, .least = 1};
constexpr std::string_view kStatTerse = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %o\n";
constexpr std::string_view kVolumeTerse = "%n %i %l %t %s %b %f %a %c %d\n";
// A width that is larger is taken for this.
constexpr int kMaxStatWidth = 4096;

std::string kind_of(const Attributes& file) {
  switch (file.type) {
    case FileType::kRegular:
      return file.size == 0 ? "regular empty file" : "regular file";
    case FileType::kDirectory:
      return "directory";
    case FileType::kSymlink:
      return "symbolic link";
    case FileType::kFifo:
      return "fifo";
    case FileType::kCharDevice:
      break;
  }
  return "character special file";
}

class StatText {
 public:
  StatText(Process& self, Users users)
      : self_(self), users_(std::move(users)), zone_(zone_of(self)) {}

  template <typename Of>
  std::string formatted(std::string_view format, const std::string& path, const Of& of) const {
    std::string text;
    for (std::size_t at = 0; at < format.size(); ++at) {
      if (format[at] != '%' || at + 1 == format.size()) {
        text += format[at];
        continue;
      }
      const std::size_t begin = ++at;
      at = std::min(format.find_first_not_of("#-+.I 0123456789", at), format.size() - 1);
      const std::string flags(format.substr(begin, at - begin));
      if (format[at] == '%') {
        text += '%';
        continue;
      }
      text += padded(flags, value(format[at], path, of));
    }
    return text;
  }

  std::string long_text(const std::string& path, const Attributes& file) const {
    std::string text =
        formatted(file.type == FileType::kSymlink ? "  File: %N\n" : "  File: %n\n", path, file);
    text += formatted("  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n", path, file);
    text += formatted(find_device(file.device) != nullptr
                          ? "Device: %Dh/%dd\tInode: %-10i  Links: %-5h Device type: "
                          : "Device: %Dh/%dd\tInode: %-10i  Links: %h",
                      path, file);
    if (const DeviceRow* const device = find_device(file.device)) {
      text += printed("%u,%u", device->major, device->minor);
    }
    return text + formatted(
                      "\nAccess: (%04a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
                      "Access: %x\nModify: %y\nChange: %z\n",
                      path, file);
  }

 private:
  static std::string padded(const std::string& flags, const std::string& text) {
    int width = 0;
    int precision = -1;
    bool left = false;
    bool zeros = false;
    std::size_t at = 0;
    for (; at < flags.size() && std::string_view("#-+I 0").find(flags[at]) != flags.npos; ++at) {
      left = left || flags[at] == '-';
      zeros = zeros || flags[at] == '0';
    }
    const auto number = [&] {
      int value = 0;
      for (; at < flags.size() && flags[at] >= '0' && flags[at] <= '9'; ++at) {
        value = std::min(value * 10 + (flags[at] - '0'), kMaxStatWidth);
      }
      return value;
    };
    width = number();
    if (at < flags.size() && flags[at] == '.') {
      ++at;
      precision = number();
    }
    const bool digits = !text.empty() && text.find_first_not_of("0123456789abcdef") == text.npos;
    std::string shown = text;
    if (precision >= 0 && !digits)
      shown.resize(std::min<std::size_t>(shown.size(), static_cast<std::size_t>(precision)));
    if (precision >= 0 && digits && shown.size() < static_cast<std::size_t>(precision)) {
      shown.insert(0, static_cast<std::size_t>(precision) - shown.size(), '0');
    }
    if (shown.size() >= static_cast<std::size_t>(width)) return shown;
    const std::size_t missing = static_cast<std::size_t>(width) - shown.size();
    if (left) return shown + std::string(missing, ' ');
    return std::string(missing, zeros && digits ? '0' : ' ') + shown;
  }

  std::string time(char letter, TimeNs when) const {
    const std::int64_t ns = (when % 1'000'000'000 + 1'000'000'000) % 1'000'000'000;
    if (letter < 'a') return format_time("%s", when, zone_);
    return format_time("%Y-%m-%d %H:%M:%S", when, zone_) +
           printed(".%09lld ", static_cast<long long>(ns)) + format_time("%z", when, zone_);
  }

  std::string link_text(const std::string& path, const Attributes& file) const {
    if (file.type != FileType::kSymlink) return path;
    return "'" + path + "' -> '" + self_.readlink(path).value_or("") + "'";
  }

  std::string value(char letter, const std::string& path, const Attributes& file) const {
    const DeviceRow* const device = find_device(file.device);
    switch (letter) {
      case 'n':
        return path;
      case 'N':
        return link_text(path, file);
      case 'd':
        return std::to_string(file.volume);
      case 'D':
        return printed("%llx", static_cast<unsigned long long>(file.volume));
      case 'i':
        return std::to_string(file.ino);
      case 'a':
        return printed("%o", file.mode);
      case 'A':
        return mode_text(file.type, file.mode);
      case 'f':
        return printed("%x", type_bits(file.type) | file.mode);
      case 'F':
        return kind_of(file);
      case 'h':
        return std::to_string(file.links);
      case 'u':
        return std::to_string(file.uid);
      case 'U':
        return users_.user_text(file.uid);
      case 'g':
        return std::to_string(file.gid);
      case 'G':
        return users_.group_text(file.gid);
      case 't':
        return printed("%x", device != nullptr ? device->major : 0);
      case 'T':
        return printed("%x", device != nullptr ? device->minor : 0);
      case 's':
        return std::to_string(file.size);
      case 'B':
        return "512";
      case 'b':
        return std::to_string(file.blocks);
      case 'o':
        return std::to_string(kBlockBytes);
      case 'x':
      case 'X':
        return time(letter, file.accessed);
      case 'y':
      case 'Y':
        return time(letter, file.modified);
      case 'z':
      case 'Z':
        return time(letter, file.changed);
      default:
        return std::string(1, letter);
    }
  }

  std::string value(char letter, const std::string& path, const VolumeFigures& volume) const {
    switch (letter) {
      case 'n':
        return path;
      case 'i':
        return "0";
      case 'l':
        return std::to_string(kNameMax);
      case 't':
        return "1021994";
      case 'T':
        return "tmpfs";
      case 'b':
        return std::to_string(volume.blocks);
      case 'f':
      case 'a':
        return std::to_string(volume.blocks_free);
      case 's':
      case 'S':
        return std::to_string(kBlockBytes);
      case 'c':
        return std::to_string(volume.inodes);
      case 'd':
        return std::to_string(volume.inodes_free);
      default:
        return std::string(1, letter);
    }
  }

  Process& self_;
  Users users_;
  Zone zone_;
};

Task<void> stat_volume(Tool& tool, const Options& options, const StatText& text, std::string path) {
  const Result<VolumeFigures> volume = tool.self.statfs(path);
  if (!volume) {
    const std::string what = "can't read file system information for '" + path + "'";
    co_await tool.fail(what, volume.error());
    co_return;
  }
  std::string format =
      "  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s\n"
      "Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n";
  if (options.has('t')) format = kVolumeTerse;
  if (const auto own = options.value('c')) format = *own + "\n";
  (void)co_await tool.out.put(text.formatted(format, path, *volume));
}

Task<void> stat_file(Tool& tool, const Options& options, const StatText& text, std::string path) {
  const Result<Attributes> file =
      tool.self.stat(path, options.has('L') ? Follow::kYes : Follow::kNo);
  if (!file) {
    const std::string what = "can't stat '" + path + "'";
    co_await tool.fail(what, file.error());
    co_return;
  }
  std::string shown;
  if (const auto own = options.value('c')) {
    shown = text.formatted(*own + "\n", path, *file);
  } else if (options.has('t')) {
    shown = text.formatted(kStatTerse, path, *file);
  } else {
    shown = text.long_text(path, *file);
  }
  (void)co_await tool.out.put(shown);
}

Task<int> run_stat(Process& self) {
  Tool tool(self, kStatUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Users users = co_await Users::load(self);
  const StatText text(self, std::move(users));
  for (const std::string& path : options->operands) {
    if (options->has('f')) {
      co_await stat_volume(tool, *options, text, path);
    } else {
      co_await stat_file(tool, *options, text, path);
    }
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> stat_main(Process& self) { return run_stat(self); }

}  // namespace sandproof::machine::programs

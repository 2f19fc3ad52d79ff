// SPDX-License-Identifier: Apache-2.0
// Names, templates and files of a new flavor's project; see skeleton_project.h.
#include "apps/sandproof/skeleton_project.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "apps/sandproof/embedded_files.h"
#include "conformance/program/program_error.h"
#include "conformance/report/terminal.h"

namespace sandproof::apps {
namespace {

namespace fs = std::filesystem;
using conformance::usage_error;

/// As the suite takes it for the name of a flavor.
constexpr std::size_t kLongestFlavorName = 40;

struct TemplateRow {
  std::string_view source;
  /// `@…@` is filled in.
  std::string_view target;
  bool executable = false;
};
constexpr std::array kTemplateRows = {
    TemplateRow{"CMakeLists.txt", "CMakeLists.txt"},
    TemplateRow{"README.md", "README.md"},
    TemplateRow{"flavor.h", "@flavor@.h"},
    TemplateRow{"flavor.cc", "@flavor@.cc"},
    TemplateRow{"binding.h", "@ident@_binding.h"},
    TemplateRow{"binding.cc", "@ident@_binding.cc"},
    TemplateRow{"main.cc", "main.cc"},
    TemplateRow{"gtest_main.cc", "gtest_main.cc"},
    TemplateRow{"ci", "ci", true},
    TemplateRow{"conformance.yml", ".github/workflows/conformance.yml"},
    TemplateRow{"gitignore", ".gitignore"},
};

std::string_view template_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("there is no template " + std::string(name));
}

std::string filled_in(std::string_view text, const SkeletonNames& names,
                      const std::string& version) {
  const std::array<std::pair<std::string_view, std::string_view>, 5> values = {{
      {"@name@", names.flavor},
      {"@ident@", names.identifier},
      {"@flavor@", names.row},
      {"@Type@", names.type},
      {"@version@", version},
  }};
  std::string result(text);
  for (const auto& [word, value] : values) {
    for (std::size_t at = result.find(word); at != std::string::npos;
         at = result.find(word, at + value.size())) {
      result.replace(at, word.size(), value);
    }
  }
  return result;
}

bool is_word(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  if (name.empty() || name.size() > kLongestFlavorName) return false;
  if (std::isalpha(static_cast<unsigned char>(name.front())) == 0) return false;
  if (name.find_first_not_of(kAllowed) != std::string_view::npos) return false;
  // An identifier with two underscores in a row is the compiler's own.
  const auto separates = [](char c) { return c == '-' || c == '_'; };
  const auto twice = std::adjacent_find(
      name.begin(), name.end(), [&](char a, char b) { return separates(a) && separates(b); });
  return twice == name.end() && !separates(name.back());
}

std::string reason() { return std::strerror(errno); }

/// A new directory in which the files are made before they take their place: beside the one that is
/// wanted, or in it where it is there (somebody may stand in it, so it stays the same directory).
/// Removed with what is left in it.
class Staging {
 public:
  explicit Staging(const fs::path& directory) : target_(directory), there_(fs::exists(directory)) {
    const fs::path parent = there_ ? directory : directory.parent_path();
    std::string name = (parent / ".sandproof-init-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw usage_error(
          fmt::format("no directory can be made in {}: {}", parent.string(), reason()));
    }
    path_ = name;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(path_.c_str(), 0777 & ~mask);
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const fs::path& path() const { return path_; }

  void take_place() const {
    if (!there_) return move(path_, target_);
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(path_)) entries.push_back(entry.path());
    for (const fs::path& entry : entries) move(entry, target_ / entry.filename());
  }

 private:
  static void move(const fs::path& from, const fs::path& to) {
    if (::rename(from.c_str(), to.c_str()) == 0) return;
    throw usage_error(fmt::format("{} cannot be made: {}", to.string(), reason()));
  }

  fs::path target_;
  bool there_;
  fs::path path_;
};

void write_file(const fs::path& path, const SkeletonFile& file) {
  const int mode = file.executable ? 0777 : 0666;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  const bool written = fd >= 0 && conformance::write_text(fd, file.text);
  const std::string why = reason();
  if ((fd >= 0 && ::close(fd) != 0) || !written) {
    throw usage_error(fmt::format("the file {} cannot be written: {}", file.path.string(), why));
  }
}

void check_place(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) {
    const fs::path parent = directory.parent_path();
    if (fs::is_directory(parent, error)) return;
    throw usage_error(fmt::format("there is no directory {} to make {} in", parent.string(),
                                  directory.filename().string()));
  }
  if (!fs::is_directory(status)) {
    throw usage_error(
        fmt::format("{} is there and is no directory; name another place with "
                    "--directory",
                    directory.string()));
  }
  const bool empty = fs::is_empty(directory, error);
  if (error) {
    throw usage_error(
        fmt::format("the directory {} cannot be read: {}", directory.string(), error.message()));
  }
  if (empty) return;
  throw usage_error(
      fmt::format("the directory {} is not empty, and nothing in it is overwritten; "
                  "name another place with --directory",
                  directory.string()));
}

}  // namespace

SkeletonNames skeleton_names(const std::string& flavor) {
  if (!is_word(flavor)) {
    throw usage_error(fmt::format(
        "`{}` cannot name a flavor: a name is at most {} lower-case letters, digits and "
        "single `-` or `_`, begins with a letter and ends with a letter or digit",
        conformance::printable(flavor, false), kLongestFlavorName));
  }
  SkeletonNames names{flavor, flavor, {}, {}};
  std::replace(names.identifier.begin(), names.identifier.end(), '-', '_');
  names.row = names.identifier + (flavor.ends_with("flavor") ? "" : "_flavor");
  bool upper = true;
  for (const char c : names.identifier) {
    if (c != '_') names.type += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return names;
}

std::vector<SkeletonFile> skeleton_files(const SkeletonNames& names, const std::string& version) {
  std::vector<SkeletonFile> files;
  for (const TemplateRow& row : kTemplateRows) {
    files.push_back({filled_in(row.target, names, version),
                     filled_in(template_text(row.source), names, version), row.executable});
  }
  return files;
}

void write_skeleton(const fs::path& directory, const std::vector<SkeletonFile>& files) {
  // Absolute and without a last slash: it has a parent then.
  fs::path target = fs::absolute(directory).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  check_place(target);
  const Staging staging(target);
  for (const SkeletonFile& file : files) {
    const fs::path path = staging.path() / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
      throw usage_error(fmt::format("the directory of {} cannot be made: {}", file.path.string(),
                                    error.message()));
    }
    write_file(path, file);
  }
  staging.take_place();
}

}  // namespace sandproof::apps

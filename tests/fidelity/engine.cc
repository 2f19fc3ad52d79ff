// SPDX-License-Identifier: Apache-2.0
// The real shells: dash and busybox, as Debian has them.
#include "tests/fidelity/engine.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <system_error>

#include "tests/fidelity/launch.h"

namespace sandproof::fidelity {
namespace {

namespace fs = std::filesystem;

// Programs that Debian's busybox is built without; coreutils and procps have them.
constexpr const char* kBorrowed[] = {"nohup", "pgrep", "pkill", "printenv"};

fs::path find_program(std::string_view name) {
  for (const char* folder : {"/usr/bin", "/bin"}) {
    fs::path path = fs::path(folder) / name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  std::string package(name);
  if (name == "busybox") package = "busybox";
  if (name == "nohup" || name == "printenv") package = "coreutils";
  if (name == "pgrep" || name == "pkill") package = "procps";
  throw EngineError("there is no " + std::string(name) + " in /usr/bin or /bin: apt-get install " +
                    package);
}

// Also what a script made unreadable.
void remove_tree(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
  if (!fs::exists(path, ignored)) return;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (auto it = fs::recursive_directory_iterator(path, options, ignored);
       it != fs::recursive_directory_iterator(); it.increment(ignored)) {
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) {
      fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    }
  }
  fs::remove_all(path, ignored);
}

void replace_all(std::string& text, const std::string& from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

class RealEngine : public Engine {
 public:
  RealEngine(std::string_view name, const fs::path& scratch) : name_(name), scratch_(scratch) {
    shell_ = find_program(name);
    const fs::path busybox = find_program("busybox");
    const fs::path links = scratch_ / "bin";
    fs::create_directories(links);
    fs::permissions(scratch_, fs::perms(0755));
    Launch list{.file = busybox, .argv = {"busybox", "--list"}, .directory = scratch_};
    const std::string names = launch(list).out;
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t end = std::min(names.find('\n', at), names.size());
      const std::string applet = names.substr(at, end - at);
      if (!applet.empty()) fs::create_symlink(applet == "sh" ? shell_ : busybox, links / applet);
      at = end + 1;
    }
    for (const char* name_of : kBorrowed) {
      if (!fs::is_symlink(links / name_of))
        fs::create_symlink(find_program(name_of), links / name_of);
    }
    if (!fs::is_symlink(links / "sh")) throw EngineError("'busybox --list' names no sh");
  }

  std::string_view name() const override { return name_; }

  Result run(const std::string& script, const std::string& input) override {
    const fs::path directory = scratch_ / std::to_string(next_++);
    fs::create_directory(directory);
    Launch shell{.file = shell_, .argv = {"sh", "-c", script}, .directory = directory};
    shell.environment = {"PATH=" + (scratch_ / "bin").string(), "HOME=/home/user", "LC_ALL=C",
                         "TZ=UTC"};
    shell.input = input;
    shell.drop_root = true;
    Result result = launch(shell);
    remove_tree(directory);
    for (std::string* text : {&result.out, &result.err}) {
      replace_all(*text, directory.string(), "<dir>");
    }
    return result;
  }

 private:
  std::string name_;
  fs::path scratch_;
  fs::path shell_;
  // Begins high, so that every directory's name is equally long: some programs align what they
  // print.
  std::atomic<int> next_ = 100000;
};

}  // namespace

bool is_real_engine(std::string_view name) { return name == "dash" || name == "busybox"; }

std::unique_ptr<Engine> make_real_engine(std::string_view name, const fs::path& scratch) {
  if (!is_real_engine(name)) throw EngineError("'" + std::string(name) + "' is no real engine");
  return std::make_unique<RealEngine>(name, scratch);
}

}  // namespace sandproof::fidelity

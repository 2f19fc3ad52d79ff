// SPDX-License-Identifier: Apache-2.0
// The machine's side has a fresh box for each run, busybox's a fresh directory.
#include "tests/machine/program_box.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "fakes/machine/programs/programs.h"
#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/program_file.h"
#include "tests/machine/vfs_box.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kWork = "/work";
// What a run of a row may take: none needs a hundredth.
constexpr std::size_t kMostSteps = 2'000'000;

std::string without_usage(std::string text) {
  const std::size_t usage = text.find("BusyBox v");
  if (usage != text.npos) text.resize(usage + std::string_view("BusyBox v").size());
  return text;
}

std::vector<ProgramRow> table_of(const ProgramRun& run) {
  const auto rows = programs::programs();
  std::vector<ProgramRow> table(rows.begin(), rows.end());
  table.insert(table.end(), run.also.begin(), run.also.end());
  std::sort(table.begin(), table.end(),
            [](const ProgramRow& a, const ProgramRow& b) { return a.name < b.name; });
  return table;
}

void furnish(VfsBox& box, const ProgramRun& run) {
  // As old as the machine's clock, not as the calendar.
  box.caller.now = ManualClock::kSwitchedOnAt.count();
  for (const char* folder : {"/bin", "/dev", "/etc", "/tmp", "/work"}) (void)box.mkdir(folder);
  for (const ProgramRow& row : table_of(run)) {
    (void)box.put("/bin/" + std::string(row.name), program_image(row.name), 0755);
  }
  EXPECT_TRUE(make_devices(box.files, "/dev", 0).ok());
  (void)box.put("/etc/passwd",
                "root:x:0:0:root:/root:/bin/sh\n"
                "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
  (void)box.put("/etc/group", "root:x:0:\nnogroup:x:65534:\n");
  for (const auto& [path, text] : run.outside) {
    for (std::size_t at = 1; (at = path.find('/', at)) != path.npos; ++at) {
      (void)box.mkdir(path.substr(0, at));
    }
    EXPECT_EQ(box.put(path, text), Errno::kOk) << path;
  }
  for (const auto& [path, text] : run.files) {
    const std::string full = std::string(kWork) + "/" + path;
    if (full.ends_with('/')) {
      EXPECT_EQ(box.mkdir(full), Errno::kOk) << full;
    } else {
      EXPECT_EQ(box.put(full, text), Errno::kOk) << full;
    }
  }
}

void collect(VfsBox& box, const std::string& below, std::map<std::string, std::string>& files) {
  const Result<NodePtr> folder =
      box.open(std::string(kWork) + "/" + below, {.read = true, .directory = true});
  if (!folder) return;
  DirCursor cursor;
  const auto entries = box.files.list(**folder, cursor, 10000, box.caller);
  if (!entries) return;
  for (const DirEntry& entry : *entries) {
    if (entry.name == "." || entry.name == "..") continue;
    const std::string path = below + entry.name;
    if (entry.type == FileType::kDirectory) {
      files[path + "/"] = "";
      collect(box, path + "/", files);
    } else if (entry.type == FileType::kSymlink) {
      files[path] = "-> link";
    } else {
      files[path] = box.get(std::string(kWork) + "/" + path);
    }
  }
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Three files stand for the descriptors: nothing can block.
std::string run_real(const ProgramRun& run, const fs::path& folder) {
  std::vector<std::string> argv = {
      "/usr/bin/env", "-i",      "-C", (folder / "work").string(), "PATH=/usr/bin:/bin", "LC_ALL=C",
      "TZ=UTC",       "timeout", "10"};
  argv.insert(argv.end(), run.real.begin(), run.real.end());
  argv.insert(argv.end(), run.argv.begin(), run.argv.end());
  std::vector<char*> pointers;
  for (std::string& word : argv) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, (folder / "in").c_str(), O_RDONLY, 0);
  constexpr int kMake = O_WRONLY | O_CREAT | O_TRUNC;
  const std::string out = run.full ? "/dev/full" : (folder / "out").string();
  ::posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), kMake, 0644);
  ::posix_spawn_file_actions_addopen(&actions, 2, (folder / "err").c_str(), kMake, 0644);
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, pointers[0], &actions, nullptr, pointers.data(), nullptr);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || ::waitpid(pid, &status, 0) != pid) return "not started";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return std::to_string(WEXITSTATUS(status));
}

}  // namespace

ProgramEnd run_on_machine(const ProgramRun& run) {
  VfsBox files;
  furnish(files, run);
  MachineOptions options;
  const std::vector<ProgramRow> table = table_of(run);
  options.programs = table;
  BoxOptions box_options;
  box_options.init = Init::kReaps;
  // The box borrows what the test keeps.
  box_options.files = std::shared_ptr<FileSystem>(std::shared_ptr<void>(), &files.files);
  World world(options, box_options);
  const auto out = std::make_shared<Capture>();
  const auto err = std::make_shared<Capture>();
  Start start;
  start.argv = run.argv;
  start.argv[0] = "/bin/" + run.argv[0];
  start.env = {"PATH=/bin", "LC_ALL=C", "TZ=UTC"};
  start.files = {open_text(run.input), out, err};
  if (run.full) start.files[1] = open_full();
  start.cwd = std::string(kWork);
  // As a shell gives it: the program is found by its path, and called by its name.
  start.body = [argv = run.argv, env = start.env](Process& self) -> Task<int> {
    const std::string path = "/bin/" + argv[0];
    const Result<void> failed = co_await self.exec(path, argv, env);
    (void)co_await self.write(2, text_of(failed.error()));
    co_return 127;
  };
  ProgramEnd end;
  const auto launch = world.machine.start(world.box, std::move(start));
  if (!launch) {
    end.status = text_of(launch.error());
    return end;
  }
  std::size_t steps = 0;
  while (!(*launch)->status() && steps < kMostSteps) {
    steps += world.machine.run_until_idle(1000);
    const auto deadline = world.machine.next_deadline();
    if (!(*launch)->status() && deadline && *deadline > world.clock.now() &&
        world.machine.run_until_idle(1) == 0) {
      world.clock.advance(*deadline - world.clock.now());
    }
    ++steps;
  }
  const std::optional<WaitStatus> status = (*launch)->status();
  end.status = "does not end";
  if (status && status->kind() == WaitStatus::Kind::kExited)
    end.status = std::to_string(status->value());
  if (status && status->kind() == WaitStatus::Kind::kSignaled) {
    end.status = "signal " + std::to_string(status->value());
  }
  end.out = out->text();
  end.err = without_usage(err->text());
  collect(files, "", end.files);
  return end;
}

ProgramEnd run_on_busybox(const ProgramRun& run) {
  std::string name = (fs::temp_directory_path() / "programs-XXXXXX").string();
  ProgramEnd end;
  if (::mkdtemp(name.data()) == nullptr) {
    end.status = "no directory " + name;
    return end;
  }
  const fs::path folder = name;
  const fs::path work = folder / "work";
  fs::create_directory(work);
  for (const auto& [path, text] : run.files) {
    if (path.ends_with('/')) {
      fs::create_directory(work / path);
    } else {
      write_file(work / path, text);
    }
  }
  write_file(folder / "in", run.input);
  end.status = run_real(run, folder);
  end.out = contents_of(folder / "out");
  end.err = without_usage(contents_of(folder / "err"));
  for (const auto& entry : fs::recursive_directory_iterator(work)) {
    const std::string path = entry.path().lexically_relative(work).string();
    if (entry.is_symlink()) {
      end.files[path] = "-> link";
    } else if (entry.is_directory()) {
      end.files[path + "/"] = "";
    } else {
      end.files[path] = contents_of(entry.path());
    }
  }
  fs::remove_all(folder);
  return end;
}

void expect_alike(std::vector<ProgramRun> rows) { expect_alike(std::move(rows), {}); }

void expect_alike(std::vector<ProgramRun> rows, const std::map<std::string, std::string>& files,
                  const std::string& input) {
  for (ProgramRun& row : rows) {
    if (row.files.empty()) row.files = files;
    if (row.input.empty()) row.input = input;
    std::string words;
    for (const std::string& word : row.argv) words += word + " ";
    SCOPED_TRACE(words);
    EXPECT_EQ(run_on_machine(row), run_on_busybox(row));
  }
}

void PrintTo(const ProgramEnd& end, std::ostream* out) {
  *out << "status " << end.status << "\nstdout:\n" << end.out << "\nstderr:\n" << end.err;
  for (const auto& [path, text] : end.files) *out << "\nfile " << path << ": " << text;
}

}  // namespace sandproof::machine

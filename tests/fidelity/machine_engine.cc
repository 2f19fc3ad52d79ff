// SPDX-License-Identifier: Apache-2.0
// A box for each row, with the files that a row may know of.
#include "tests/fidelity/machine_engine.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "fakes/machine/machine.h"
#include "fakes/machine/pipe.h"
#include "fakes/machine/proc/proc_volume.h"
#include "fakes/machine/programs/programs.h"
#include "fakes/machine/shell/sh.h"
#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/program_file.h"
#include "fakes/machine/vfs/tree.h"
#include "fakes/machine/vfs/vfs.h"
#include "tests/fidelity/launch.h"

namespace sandproof::fidelity {
namespace {

namespace m = sandproof::machine;

// As long as the names of the real engines' directories: some programs align what they print.
constexpr std::string_view kDirectory = "/tmp/fidelity-000000/machine/100000";
constexpr std::uint32_t kNobodyInside = 65534;

// The programs that rows use. The machine is to have all of them.
constexpr std::array kExpected = {
    "[",         "[[",       "egrep",   "fgrep",    "awk",      "base64", "basename", "cat",
    "chgrp",     "chmod",    "chown",   "cmp",      "cp",       "cut",    "date",     "dd",
    "df",        "dirname",  "du",      "echo",     "env",      "expr",   "false",    "find",
    "free",      "grep",     "head",    "hostname", "id",       "kill",   "killall",  "ln",
    "ls",        "md5sum",   "mkdir",   "mkfifo",   "mktemp",   "mv",     "nice",     "nohup",
    "nproc",     "od",       "pgrep",   "pkill",    "printenv", "printf", "ps",       "pwd",
    "readlink",  "realpath", "rm",      "rmdir",    "sed",      "seq",    "setsid",   "sha1sum",
    "sha256sum", "sleep",    "sort",    "stat",     "su",       "sync",   "tail",     "tar",
    "tee",       "test",     "timeout", "top",      "touch",    "tr",     "true",     "tty",
    "uname",     "uniq",     "wc",      "which",    "whoami",   "xargs",  "yes"};

// A program's main is a function without a context, and a machine runs on one thread.
thread_local std::string lacking_program;

m::Task<int> lacking_main(m::Process& self) {
  const std::string path = self.argv().front();
  if (lacking_program.empty()) lacking_program = path.substr(path.rfind('/') + 1);
  co_return 127;
}

std::vector<m::ProgramRow> make_table() {
  std::vector<m::ProgramRow> table;
  for (const m::ProgramRow& row : m::shell_programs()) table.push_back(row);
  for (const m::ProgramRow& row : m::programs::programs()) table.push_back(row);
  for (const char* const name : kExpected) {
    const auto named = [name](const m::ProgramRow& row) { return row.name == name; };
    if (std::none_of(table.begin(), table.end(), named)) table.push_back({name, lacking_main});
  }
  return table;
}

// The files of a box before a row runs.
class Image {
 public:
  explicit Image(const std::vector<m::ProgramRow>& table)
      : tree_(std::make_shared<m::Tree>(1, m::TreeLimits{}, 0755, 0)), files_(tree_) {
    for (const char* const directory :
         {"/bin", "/dev", "/etc", "/proc", "/tmp", "/var", "/var/tmp"}) {
      make_directory(directory, 0755);
    }
    for (const m::ProgramRow& row : table) {
      put("/bin/" + std::string(row.name), m::program_image(row.name), 0755);
    }
    put("/etc/passwd",
        "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n",
        0644);
    put("/etc/group", "root:x:0:\nnogroup:x:65534:\n", 0644);
    check(m::make_devices(files_, "/dev", 0).error(), "/dev");
    std::string path;
    for (std::size_t at = 1; at != std::string::npos;) {
      at = kDirectory.find('/', at + 1);
      path = kDirectory.substr(0, at);
      if (path != "/tmp") make_directory(path, 0755);
    }
    const auto node = files_.lookup({files_.root(), kDirectory}, m::Follow::kYes, caller_);
    check(
        files_.change_owner(**node, {.uid = kNobodyInside, .gid = kNobodyInside}, caller_).error(),
        path);
  }

  m::TreeSnapshot snapshot() const { return tree_->snapshot(); }

 private:
  static void check(m::Errno error, const std::string& what) {
    if (error != m::Errno::kOk) throw EngineError("the machine's image has no " + what);
  }
  void make_directory(const std::string& path, std::uint32_t mode) {
    check(files_.make_directory({files_.root(), path}, mode, caller_).error(), path);
  }
  void put(const std::string& path, std::string_view bytes, std::uint32_t mode) {
    const m::OpenFlags flags{.write = true, .create = true};
    const auto node = files_.open({files_.root(), path}, flags, mode, caller_);
    check(node.error(), path);
    check(files_.write(**node, 0, std::as_bytes(std::span(bytes)), caller_).error(), path);
  }

  std::shared_ptr<m::Tree> tree_;
  m::Vfs files_;
  m::Caller caller_;
};

// One of the script's outputs: a pipe, read to its end.
class Output {
 public:
  Output() { std::tie(read_, write_) = m::make_pipe(); }
  m::FilePtr take_writer() { return std::move(write_); }
  // Whether all writers are gone.
  bool drain() {
    std::array<std::byte, 4096> buffer{};
    while (!ended_) {
      const m::Result<std::size_t> count = read_->try_read(buffer);
      if (!count) return false;
      ended_ = *count == 0;
      for (std::size_t at = 0; at < *count; ++at) text_ += static_cast<char>(buffer[at]);
    }
    return true;
  }
  const std::string& text() const { return text_; }

 private:
  m::FilePtr read_;
  m::FilePtr write_;
  std::string text_;
  bool ended_ = false;
};

std::string status_text(const std::optional<m::WaitStatus>& status) {
  if (!status) return "time limit";
  const bool exited = status->kind() == m::WaitStatus::Kind::kExited;
  return (exited ? "" : "signal ") + std::to_string(status->value());
}

// Steps until the script has ended and its outputs have, or until that cannot be.
bool run_to_end(m::Machine& machine, m::ManualClock& clock, const m::Launch& launch, Output& out,
                Output& err) {
  constexpr std::size_t kStepsAtOnce = 1000;
  const auto give_up = std::chrono::steady_clock::now() + kTimeLimit;
  for (;;) {
    const std::size_t done = machine.run_until_idle(kStepsAtOnce);
    const std::size_t before = out.text().size() + err.text().size();
    const bool out_ended = out.drain();
    const bool err_ended = err.drain();
    if (launch.status() && out_ended && err_ended) return true;
    if (!lacking_program.empty()) return false;
    if (std::chrono::steady_clock::now() > give_up) return false;
    if (done > 0 || before != out.text().size() + err.text().size()) continue;
    const std::optional<m::Nanoseconds> deadline = machine.next_deadline();
    if (!deadline || *deadline > m::Nanoseconds(kTimeLimit)) return false;
    clock.advance(std::max(*deadline - clock.now(), m::Nanoseconds(1)));
  }
}

void replace_directory(std::string& text) {
  constexpr std::string_view kPlaceholder = "<dir>";
  for (std::size_t at = 0; (at = text.find(kDirectory, at)) != text.npos;
       at += kPlaceholder.size()) {
    text.replace(at, kDirectory.size(), kPlaceholder);
  }
}

// An exec, since what is started by path is called by it.
m::Task<int> exec_shell(m::Process& self, const std::string& script) {
  const m::Strings argv = {"sh", "-c", script};
  const m::Strings environment = {"PATH=/bin", "HOME=/home/user", "LC_ALL=C", "TZ=UTC"};
  (void)co_await self.exec("/bin/sh", argv, environment);
  co_return 127;
}

class MachineEngine : public Engine {
 public:
  MachineEngine() : table_(make_table()), image_(Image(table_).snapshot()) {}

  std::string_view name() const override { return "machine"; }

  Result run(const std::string& script, const std::string& input) override {
    lacking_program.clear();
    m::ManualClock clock;
    m::Machine machine(clock, {.programs = table_});
    m::BoxOptions options;
    options.init = m::Init::kReaps;
    const auto files =
        std::make_shared<m::Vfs>(std::make_shared<m::Tree>(1, m::TreeLimits{}, image_));
    options.proc = std::make_shared<m::ProcVolume>(machine.next_volume_id());
    (void)files->mount(
        {.point = "/proc", .volume = options.proc, .read_only = true, .type = "proc"});
    options.files = files;
    m::Box& box = machine.make_box(options);
    Output out;
    Output err;
    m::Start start;
    start.argv = {"sh"};
    start.body = [&script](m::Process& self) { return exec_shell(self, script); };
    start.credentials = {.uid = kNobodyInside, .gid = kNobodyInside};
    start.cwd = kDirectory;
    auto [stdin_read, stdin_write] = m::make_pipe();
    (void)stdin_write->try_write(std::as_bytes(std::span(input)));
    stdin_write.reset();
    start.files = {std::move(stdin_read), out.take_writer(), err.take_writer()};
    const auto launch = machine.start(box, std::move(start));
    if (!launch) throw EngineError("the machine cannot start its sh");
    const bool ended = run_to_end(machine, clock, **launch, out, err);
    Result result{.out = out.text(), .err = err.text(), .status = {}, .lacking = lacking_program};
    result.status = ended ? status_text((*launch)->status()) : "time limit";
    for (std::string* const text : {&result.out, &result.err}) replace_directory(*text);
    return result;
  }

 private:
  std::vector<m::ProgramRow> table_;
  m::TreeSnapshot image_;
};

}  // namespace

std::unique_ptr<Engine> make_machine_engine() { return std::make_unique<MachineEngine>(); }

}  // namespace sandproof::fidelity

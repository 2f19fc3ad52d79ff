// SPDX-License-Identifier: Apache-2.0
// Making processes and giving them time.
#include "fakes/machine/kernel.h"

#include <stdexcept>

#include "fakes/machine/block.h"
#include "fakes/machine/executable.h"
#include "fakes/machine/open_node.h"
#include "fakes/machine/plugged/plugged_programs.h"

namespace sandproof::machine {
namespace {

using Event = JournalEntry::Event;

// Apart from the scheduler's, so that a program that asks for numbers moves no other's turn.
constexpr std::uint64_t kNumbersSeed = 0x6e756d62657273U;

}  // namespace

Kernel::Kernel(Clock& clock, std::uint64_t seed, std::size_t journal_limit,
               std::span<const ProgramRow> programs)
    : clock_(clock),
      programs_(programs),
      scheduler_(seed),
      numbers_(seed ^ kNumbersSeed),
      journal_(journal_limit) {}

void Kernel::note(const ProcessEntry& entry, Event event, int value) {
  journal_.add(
      {.tick = tick_, .box = entry.box.id(), .pid = entry.pid, .event = event, .value = value});
}

Result<ProcessBody> Kernel::find_program(const Box& box, std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  if (const auto& plugged = box.options().plugged) {
    if (const ProcessBody* const body = plugged->find(name)) return *body;
  }
  for (const ProgramRow& row : programs_) {
    if (row.name == name) return ProcessBody(row.main);
  }
  return Errno::kNoent;
}

Result<ProcessEntry*> Kernel::make_entry(Box& box, ProcessEntry* parent) {
  if (box.full() || box.ending) return Errno::kAgain;
  const Result<Pid> pid = box.next_pid();
  if (!pid) return pid.error();
  auto entry = std::make_unique<ProcessEntry>(*this, box, *pid, ++last_serial_);
  entry->parent = parent;
  entry->group = parent != nullptr ? parent->group : *pid;
  entry->session = parent != nullptr ? parent->session : *pid;
  entry->family = parent != nullptr ? parent->family : entry->serial;
  entry->born_at = clock_.now();
  ProcessEntry& made = box.insert(std::move(entry));
  if (parent != nullptr) parent->children.emplace(made.serial, &made);
  return &made;
}

void Kernel::begin(ProcessEntry& entry, ProcessBody body) {
  entry.body = std::move(body);
  entry.task = entry.body(entry.face);
  entry.resume_point = entry.task.handle();
  entry.state = RunState::kReady;
  if (!entry.stopped) scheduler_.add(entry);
}

std::shared_ptr<Pipe> Kernel::fifo(Box& box, const Attributes& attributes) {
  std::weak_ptr<Pipe>& known = box.fifos[{attributes.volume, attributes.ino}];
  std::shared_ptr<Pipe> pipe = known.lock();
  if (pipe == nullptr) {
    std::erase_if(box.fifos,
                  [&](const auto& one) { return one.second.expired() && &one.second != &known; });
    known = pipe = Pipe::make(box.options().pipe_capacity, next_id());
  }
  return pipe;
}

Result<void> Kernel::prepare(ProcessEntry& entry, Start& start) {
  entry.credentials = std::make_shared<const Credentials>(std::move(start.credentials));
  entry.descriptors.set_limit(entry.box.options().file_limit);
  for (int fd = 0; static_cast<std::size_t>(fd) < start.files.size(); ++fd) {
    FilePtr& file = start.files[static_cast<std::size_t>(fd)];
    if (file != nullptr && !entry.descriptors.put(fd, std::move(file))) return Errno::kMfile;
  }
  if (FileSystem* const files = entry.files()) {
    const Caller caller = caller_of(*entry.credentials, entry.pid, clock_);
    const NodePtr root = files->root();
    Result<NodePtr> cwd = files->change_directory({.at = root, .path = start.cwd}, caller);
    if (!cwd) return cwd.error();
    entry.cwd = *std::move(cwd);
  }
  if (!start.body) {
    if (start.argv.empty()) return Errno::kInval;
    if (arguments_too_big(start.argv, start.env)) return Errno::k2big;
    const std::string path = start.path.empty() ? start.argv.front() : start.path;
    Result<Executable> found = find_executable(entry, path, std::move(start.argv));
    if (!found) return found.error();
    start.body = std::move(found->main);
    start.argv = std::move(found->argv);
    entry.comm = std::move(found->comm);
    entry.exe = std::move(found->exe);
  } else if (!start.argv.empty()) {
    entry.comm = start.argv.front();
  }
  return {};
}

Result<std::shared_ptr<const Launch>> Kernel::start(Box& box, Start start) {
  const Result<ProcessEntry*> made = make_entry(box, nullptr);
  if (!made) return made.error();
  ProcessEntry& entry = **made;
  const Result<void> prepared = prepare(entry, start);
  if (!prepared) {
    // As if it had not been: it has not run, and nobody has seen it.
    box.erase(entry.pid);
    return prepared.error();
  }
  entry.argv = std::make_shared<const Strings>(std::move(start.argv));
  entry.env = std::make_shared<const Strings>(std::move(start.env));
  entry.launch = std::make_shared<Launch>(std::move(start.on_end));
  entry.launch->pid_ = entry.pid;
  entry.launch->family_ = entry.family;
  note(entry, Event::kStart);
  begin(entry, std::move(start.body));
  return std::shared_ptr<const Launch>(entry.launch);
}

Result<Pid> Kernel::fork(ProcessEntry& parent, ProcessBody body) {
  const Result<ProcessEntry*> made = make_entry(parent.box, &parent);
  if (!made) return made.error();
  ProcessEntry& child = **made;
  child.credentials = parent.credentials;
  child.argv = parent.argv;
  child.env = parent.env;
  child.comm = parent.comm;
  child.exe = parent.exe;
  child.umask = parent.umask;
  child.cwd = parent.cwd;
  child.descriptors = parent.descriptors;
  child.mask = parent.mask;
  child.ignored = parent.ignored;
  child.handled = parent.handled;
  note(parent, Event::kFork, child.pid);
  begin(child, std::move(body));
  return child.pid;
}

bool Kernel::step() {
  if (!timers_.empty()) fire_due_timers();
  ProcessEntry* const next = scheduler_.take();
  if (next == nullptr) return false;
  run_slice(*next);
  return true;
}

void Kernel::fire_due_timers() {
  const Nanoseconds now = clock_.now();
  while (Timer* const due = timers_.take_due(now)) {
    if (due->kind() == Timer::Kind::kWake) {
      wake(due->entry());
    } else {
      post_signal(due->entry(), Signal::kAlrm, Origin::kInside);
    }
  }
}

void Kernel::run_slice(ProcessEntry& entry) {
  ++tick_;
  note(entry, Event::kRun);
  entry.state = RunState::kRunning;
  entry.budget = kSliceCalls;
  ++entry.slices;
  current_ = &entry;
  entry.resume_point.resume();
  current_ = nullptr;
  after_slice(entry);
}

void Kernel::after_slice(ProcessEntry& entry) {
  if (entry.dying) {
    finish(entry, *entry.dying);
  } else if (entry.task.done()) {
    WaitStatus status = WaitStatus::signaled(Signal::kAbrt);
    try {
      status = WaitStatus::exited(entry.task.take());
    } catch (...) {
      note(entry, Event::kThrow);
    }
    finish(entry, status);
  } else if (entry.next_image) {
    replace_image(entry);
  } else if (entry.state == RunState::kRunning) {
    throw std::logic_error("the program " +
                           (entry.argv->empty() ? std::string("?") : entry.argv->front()) +
                           " awaited something that is no system call; nothing can resume it");
  }
}

void Kernel::replace_image(ProcessEntry& entry) {
  entry.task = {};
  const std::unique_ptr<NextImage> image = std::move(entry.next_image);
  entry.argv = image->argv;
  entry.env = image->env;
  entry.comm = std::move(image->comm);
  entry.exe = std::move(image->exe);
  entry.handled = {};
  entry.has_execed = true;
  entry.descriptors.close_for_exec();
  note(entry, Event::kExec);
  begin(entry, std::move(image->main));
}

void Kernel::wake(ProcessEntry& entry) {
  if (entry.state == RunState::kBlocked) ready_again(entry);
}

void Kernel::ready_again(ProcessEntry& entry) {
  entry.state = RunState::kReady;
  if (!entry.stopped) scheduler_.add(entry);
}

bool Checkpoint::await_ready() const {
  return --entry_.budget > 0 && !entry_.leaving() && !entry_.stopped;
}

void Checkpoint::await_suspend(std::coroutine_handle<> resume_point) const {
  entry_.resume_point = resume_point;
  if (!entry_.leaving()) entry_.kernel.ready_again(entry_);
}

void ProcessWaiter::woken() { entry_.kernel.wake(entry_); }

void Block::await_suspend(std::coroutine_handle<> resume_point) {
  entry_.resume_point = resume_point;
  if (entry_.leaving()) return;
  entry_.state = RunState::kBlocked;
  if (queue_ != nullptr) queue_->add(waiter_);
  if (deadline_) entry_.kernel.timers().set(timer_, *deadline_);
}

}  // namespace sandproof::machine

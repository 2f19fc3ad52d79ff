// SPDX-License-Identifier: Apache-2.0
// See support.h.
#include "conformance/cases/support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <future>
#include <latch>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "sandproof/errors.h"
#include "sandproof/sanitized.h"

namespace sandproof {
namespace {

std::string shortened(const std::string& text) {
  constexpr std::size_t kEnd = 200;
  if (text.size() <= 2 * kEnd) return testing::PrintToString(text);
  return testing::PrintToString(text.substr(0, kEnd)) + " … " +
         testing::PrintToString(text.substr(text.size() - kEnd));
}

}  // namespace

void PrintTo(const Output& output, std::ostream* os) {
  *os << output.status << ", out " << shortened(output.out) << ", err " << shortened(output.err)
      << ", " << output.out_bytes << " and " << output.err_bytes << " bytes";
}

}  // namespace sandproof

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

/// How often a state that no event announces is asked for.
constexpr std::chrono::milliseconds kAskAgain{5};
/// A call blocks within microseconds; a busy machine may leave its thread waiting for a core. One
/// that does not block at all is none of start_blocked()'s to find.
constexpr std::chrono::milliseconds kTimeToBlock{2000};

template <typename Type>
bool name_if(const std::exception& error, std::string_view name, std::string& text) {
  if (dynamic_cast<const Type*>(&error) == nullptr) return false;
  text = std::string(name) + ": " + error.what();
  return true;
}

std::string field_of(const fs::path& status, std::string_view name) {
  std::ifstream file(status);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return line.substr(name.size());
  }
  return {};
}

std::size_t kilobytes(std::string_view name) {
  const std::string text = field_of("/proc/self/status", name);
  return text.empty() ? 0 : std::stoul(text) * 1024;
}

}  // namespace

bool finishes_within(std::chrono::milliseconds bound, const std::function<void()>& call,
                     const std::function<void()>& unblock) {
  std::packaged_task<void()> task(call);
  std::future<void> done = task.get_future();
  std::jthread thread(std::move(task));
  const bool in_time = done.wait_for(bound) == std::future_status::ready;
  if (!in_time) unblock();
  thread.join();
  done.get();
  return in_time;
}

void in_parallel(int count, const std::function<void(int)>& call) {
  std::latch start(count);
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&](int i) {
    start.arrive_and_wait();
    try {
      call(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(guarded, i);
  }
  if (first) std::rethrow_exception(first);
}

bool eventually(std::chrono::milliseconds bound, const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + bound;
  for (;;) {
    if (condition()) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kAskAgain);  // sleep: nothing announces these states.
  }
}

std::string state_of(const Session& session) { return session.closed() ? "closed" : "open"; }

std::vector<std::string> census(CaseContext& ctx) {
  return ctx.probe().census(ctx.sandbox().component_id());
}

std::string next_line(LineStream& stream) {
  std::string line;
  return stream.next(line) ? line : std::string();
}

std::vector<std::string> all_lines(LineStream& stream) {
  std::vector<std::string> lines;
  for (std::string line; stream.next(line);) lines.push_back(line);
  return lines;
}

std::string all_bytes(Process& process, Stream stream) {
  std::string bytes;
  std::vector<std::byte> buffer(64 * 1024);
  while (const std::size_t count = process.read_some(stream, buffer)) {
    bytes.append(reinterpret_cast<const char*>(buffer.data()), count);
  }
  return bytes;
}

std::string error_of(const std::function<void()>& call) {
  std::string text;
  try {
    call();
  } catch (const std::exception& error) {
    if (name_if<SessionClosedError>(error, "SessionClosedError", text) ||
        name_if<ExecError>(error, "ExecError", text) ||
        name_if<UnsupportedError>(error, "UnsupportedError", text) ||
        name_if<NotFoundError>(error, "NotFoundError", text) ||
        name_if<InvalidArgumentError>(error, "InvalidArgumentError", text) ||
        name_if<TimeoutError>(error, "TimeoutError", text) ||
        name_if<AlreadyCollectedError>(error, "AlreadyCollectedError", text) ||
        name_if<SandboxLostError>(error, "SandboxLostError", text) ||
        name_if<FileTransferError>(error, "FileTransferError", text) ||
        name_if<BackendError>(error, "BackendError", text) ||
        name_if<Error>(error, "Error", text)) {
      return text;
    }
    return std::string("std::exception: ") + error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
  return {};
}

std::string out_within(std::chrono::milliseconds bound, Session& session, std::string script) {
  std::string out;
  const std::string error = error_of([&] {
    CollectOptions options;
    options.timeout = bound;
    out = session.exec({"sh", "-c", std::move(script)})->collect(options).out;
  });
  return error.empty() ? out : error;
}

std::unique_ptr<Process> start_bounded(CaseContext& ctx, Session& session,
                                       const std::string& script,
                                       std::chrono::milliseconds deadline) {
  ExecOptions options;
  options.timeout = ctx.bound(deadline);
  return session.exec({"sh", "-c", script}, options);
}

Output raw_within(std::chrono::milliseconds bound, Session& session, Command command,
                  ExecOptions options) {
  constexpr std::int64_t kRoom = 64 << 20;
  Output output;
  const std::string error = error_of([&] {
    output = session.exec(std::move(command), std::move(options))
                 ->collect({.max_chars = kRoom, .timeout = bound, .raw = true});
  });
  if (!error.empty()) output.out = error;
  return output;
}

std::string end_of(Process& process, std::chrono::milliseconds bound) {
  std::optional<int> status;
  const std::string error = error_of([&] { status = process.wait(bound).integer(); });
  if (!error.empty()) process.kill();
  return status ? "status " + std::to_string(*status) : error.empty() ? "status lost" : error;
}

Started start(Session& session, std::string script) {
  Started started;
  started.process = session.exec({"sh", "-c", std::move(script)});
  started.first_line = next_line(started.process->out());
  return started;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return std::move(content).str();
}

void write_file(const fs::path& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string digest(std::string_view bytes) {
  std::ostringstream text;
  text << bytes.size() << " bytes, hash " << std::hex << std::hash<std::string_view>{}(bytes);
  return std::move(text).str();
}

std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<char>(i < 256 ? i : random() & 0xFF);
  }
  return bytes;
}

std::unique_ptr<Sandbox> sandbox_with(CaseContext& context, Settings settings,
                                      std::shared_ptr<HookFaults> faults) {
  SandboxSpec spec;
  spec.settings = std::move(settings);
  spec.hook_faults = std::move(faults);
  return context.make_sandbox(spec);
}

std::vector<ProcessEntry> living(CaseContext& context, const std::string& session_id,
                                 std::string_view text) {
  std::vector<ProcessEntry> processes = context.probe().processes(session_id);
  std::erase_if(processes, [&](const ProcessEntry& entry) {
    return !entry.alive || entry.command.find(text) == std::string::npos;
  });
  return processes;
}

std::vector<std::string> living_commands(CaseContext& context, const std::string& session_id) {
  std::vector<std::string> commands;
  for (ProcessEntry& entry : living(context, session_id)) {
    commands.push_back(std::move(entry.command));
  }
  return commands;
}

std::jthread start_blocked(std::function<void()> call) {
  auto about_to_call = std::make_shared<std::promise<long>>();
  auto thread_id = about_to_call->get_future();
  std::jthread thread([call = std::move(call), about_to_call] {
    about_to_call->set_value(::gettid());
    call();
  });
  const std::string status = "/proc/self/task/" + std::to_string(thread_id.get()) + "/status";
  // The file is gone, and the state empty, when the thread is.
  eventually(kTimeToBlock, [&] {
    const std::string state = field_of(status, "State:\t");
    return state.empty() || state.starts_with('S');
  });
  return thread;
}

std::size_t own_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count - 1;  // The one that reads the directory.
}

std::size_t own_threads() { return std::stoul(field_of("/proc/self/status", "Threads:")); }

std::size_t own_zombies() {
  const std::string self = std::to_string(::getpid());
  std::size_t zombies = 0;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    const fs::path status = entry.path() / "status";
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    const std::string parent = field_of(status, "PPid:\t");
    const std::string state = field_of(status, "State:\t");
    if (parent == self && state.starts_with('Z')) ++zombies;
  }
  return zombies;
}

std::size_t own_memory() { return kSanitized ? 0 : kilobytes("RssAnon:") + kilobytes("RssShmem:"); }

std::string error_or(const std::function<std::string()>& call) {
  std::string result;
  const std::string error = error_of([&] { result = call(); });
  return error.empty() ? result : error;
}

std::size_t peak_memory_of(const std::function<void()>& call) {
  // Often enough for what grows with hundreds of megabytes that a command has to write first.
  constexpr std::chrono::milliseconds kSample{5};
  std::size_t peak = own_memory();
  std::future<void> done = std::async(std::launch::async, call);
  while (done.wait_for(kSample) != std::future_status::ready) {
    peak = std::max(peak, own_memory());
  }
  done.get();
  return std::max(peak, own_memory());
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// What the cases share: bounded calls, parallel calls, local files, the harness's own usage.
// Helpers that assert nothing; a case asserts on what they return, so that a failure points at it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sandproof/conformance/context.h"

namespace sandproof {

/// For GoogleTest: an output in a failure's text; long streams by their ends.
void PrintTo(const Output& output, std::ostream* os);

}  // namespace sandproof

namespace sandproof::conformance {

/// For CaseContext::bound(): what has to happen without any delay of its own.
inline constexpr std::chrono::milliseconds kAtOnce{0};
inline constexpr std::size_t kMebi = std::size_t{1} << 20;

/// Runs `call` on a thread of its own. False when it has not returned after `bound`: then `unblock`
/// is called (it must make `call` return: kill, destroy …) and the thread is joined all the same.
/// What `call` throws is thrown here.
bool finishes_within(std::chrono::milliseconds bound, const std::function<void()>& call,
                     const std::function<void()>& unblock);

/// Runs `call(0)` … `call(count - 1)` on a thread each, released together; joins them. The first
/// thing thrown is thrown here.
void in_parallel(int count, const std::function<void(int)>& call);

/// Asks until `condition` holds or `bound` has passed; the last answer. For states that no event
/// announces (a process table, a census).
bool eventually(std::chrono::milliseconds bound, const std::function<bool()>& condition);

/// "open" or "closed".
std::string state_of(const Session& session);
/// What the backend holds of the case's sandbox.
std::vector<std::string> census(CaseContext& ctx);

/// The next line with its '\n', or "" at the end of the stream.
std::string next_line(LineStream& stream);
/// Every line that is left.
std::vector<std::string> all_lines(LineStream& stream);
/// Every byte that is left, by read_some.
std::string all_bytes(Process& process, Stream stream);

/// "NotFoundError: its text" for what `call` throws, "" where it throws nothing: one value to
/// match, and nothing escapes.
std::string error_of(const std::function<void()>& call);

/// What `call` returns, or what it throws as error_of() gives it.
std::string error_or(const std::function<std::string()>& call);

/// Starts `sh -c script`, which is ended when it is still there after the bound; so not for a case
/// that waits itself until the bound for something to happen *before* the command's end.
std::unique_ptr<Process> start_bounded(CaseContext& ctx, Session& session,
                                       const std::string& script,
                                       std::chrono::milliseconds deadline = kAtOnce);

/// The stdout of `sh -c script`, which is killed after `bound`; for scripts that would block for
/// ever if the flavor were wrong. What is thrown comes as text, as from error_of().
std::string out_within(std::chrono::milliseconds bound, Session& session, std::string script);

/// Collects `command`, with exact bytes and room for 64 MiB a stream; it is killed after `bound`.
/// What is thrown comes as text in `out`, as from error_of(), with a lost status.
Output raw_within(std::chrono::milliseconds bound, Session& session, Command command,
                  ExecOptions options = {});

/// How a command ends: "status 143", or what wait() throws, as error_of() gives it. It is killed
/// when it has not ended after `bound`.
std::string end_of(Process& process, std::chrono::milliseconds bound);

/// Starts `sh -c script` and reads the first line of its stdout, which says that it is where the
/// case wants it.
struct Started {
  std::unique_ptr<Process> process;
  std::string first_line;
};
Started start(Session& session, std::string script);

std::string trimmed(std::string text);
/// Whole files of the harness; throw std::runtime_error.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);
/// "65536 bytes, hash 90ab…": equal for equal bytes; for what is too long to be printed.
std::string digest(std::string_view bytes);
/// `size` bytes from `random`; all values occur.
std::string random_bytes(std::mt19937_64& random, std::size_t size);

/// A sandbox of the case's own component with these settings and faults.
std::unique_ptr<Sandbox> sandbox_with(CaseContext& context, Settings settings,
                                      std::shared_ptr<HookFaults> faults = nullptr);

/// The processes of the session whose command line holds `text`; live ones.
std::vector<ProcessEntry> living(CaseContext& context, const std::string& session_id,
                                 std::string_view text = {});

/// The command lines of the session's live processes.
std::vector<std::string> living_commands(CaseContext& context, const std::string& session_id);

/// A thread that runs `call` and is blocked in it by now: nothing announces that it is inside, but
/// it sleeps, or is over.
std::jthread start_blocked(std::function<void()> call);

/// The worker's own descriptors, threads, zombie children, and memory (anonymous and shared, in
/// bytes; 0 with a sanitizer, whose own memory would be counted).
std::size_t own_descriptors();
std::size_t own_threads();
std::size_t own_zombies();
std::size_t own_memory();
/// The most of own_memory() that was seen while `call` ran, sampled; what it throws is thrown.
std::size_t peak_memory_of(const std::function<void()>& call);

}  // namespace sandproof::conformance

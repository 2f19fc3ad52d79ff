// SPDX-License-Identifier: Apache-2.0
// STREAM: bytes that must arrive: all that a command wrote before its exit, on either stream, and
// what came before a break. Cases; each used by one worker thread.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;
using testing::StartsWith;

// STREAM-011: … what was received is delivered, then the read throws `SandboxLostError`.
void ReadSomeSeesABrokenTransport(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto session = sandbox->create_session();
  faults->break_err_after = 6;
  const auto process = start_bounded(ctx, *session, "printf 'one two' >&2; sleep 30");
  std::string bytes;
  const std::string error = error_of([&] {
    std::array<std::byte, 64> buffer;
    while (const std::size_t count = process->read_some(Stream::kErr, buffer)) {
      bytes.append(reinterpret_cast<const char*>(buffer.data()), count);
    }
  });
  process->kill();
  EXPECT_THAT((std::vector{bytes, error}), ElementsAre("one tw", StartsWith("SandboxLostError")));
}

// STREAM-012: All bytes written before exit are delivered, for 1 B … 16 MiB.
void EveryByteWrittenBeforeTheExitArrives(CaseContext& ctx) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{4095}, std::size_t{4096}, std::size_t{65535},
        std::size_t{65536}, std::size_t{65537}, kMebi, 16 * kMebi}) {
    const Output output =
        raw_within(ctx.bound(seconds(2)), ctx.session(),
                   {"sh", "-c", "head -c " + std::to_string(size) + " /dev/zero; exit 5"});
    EXPECT_THAT(output, AllOf(Field(&Output::out_bytes, size),
                              Field(&Output::status, ExitStatus::exited(5))));
  }
}

// STREAM-012: All bytes written before exit are delivered, …, over many repetitions.
void NothingIsLostInManyRounds(CaseContext& ctx) {
  std::vector<std::uint64_t> received;
  for (std::uint64_t size = 1; size <= 65536; size = size * 3 / 2 + 1) {
    received.push_back(raw_within(ctx.bound(kAtOnce), ctx.session(),
                                  {"head", "-c", std::to_string(size), "/dev/zero"})
                           .out_bytes -
                       size);
  }
  EXPECT_THAT(received, Each(0));
}

// STREAM-012: All bytes written before exit are delivered.
void TinyWritesArrive(CaseContext& ctx) {
  const Output output = raw_within(ctx.bound(kAtOnce), ctx.session(),
                                   {"sh", "-c", "dd if=/dev/zero bs=1 count=20000 2>/dev/null"});
  EXPECT_EQ(output.out_bytes, 20000U);
}

// STREAM-012: All bytes written before exit are delivered.
void SignalsDoNotLoseOutput(CaseContext& ctx) {
  Session& session = ctx.session();
  const SignalStorm storm;
  const Output output =
      raw_within(ctx.bound(kAtOnce), session, {"head", "-c", "4194304", "/dev/zero"});
  EXPECT_EQ(output.out_bytes, 4 * kMebi);
}

// STREAM-012: All bytes written before exit are delivered, …, over many repetitions: stderr's, too.
void EveryByteOfStderrArrives(CaseContext& ctx) {
  std::vector<std::string> lost;
  for (std::uint64_t size = 1; size <= kMebi; size = size * 3 + 1) {
    const Output output = raw_within(
        ctx.bound(kAtOnce), ctx.session(),
        {"sh", "-c", "head -c " + std::to_string(size) + " /dev/zero >&2; echo out; exit 5"});
    if (output.err_bytes != size || output.out != "out\n") {
      lost.push_back(std::to_string(output.err_bytes) + " of " + std::to_string(size));
    }
  }
  EXPECT_THAT(lost, ElementsAre());
}

/// "status 0: …" for a short command of which nothing is read before its exit was seen. Where the
/// exit comes behind the output, that cannot be: there the reading begins after a second.
std::string read_after_exit(CaseContext& ctx, Session& session, HookFaults& faults,
                            const std::function<std::string(Process&)>& read) {
  faults.hold_output = true;
  const auto process =
      start_bounded(ctx, session, "printf 'a line\\na rest'; printf 'bad\\nworse' >&2");
  eventually(ctx.scaled(seconds(1)), [&] { return process->exit_status().has_value(); });
  faults.hold_output = false;
  const std::string result = error_or([&] { return read(*process); });
  return end_of(*process, ctx.bound(kAtOnce)) + ": " + result;
}

std::string joined_lines(LineStream& stream) {
  std::string text;
  for (const std::string& line : all_lines(stream)) text += line;
  return text;
}

// STREAM-012: All bytes written before exit are delivered …: those, too, that nobody has read when
// the exit is seen.
void WhatIsUnreadAtTheExitArrives(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  // So long that a slow machine does not give the held streams up.
  const auto sandbox = sandbox_with(ctx, Settings().set("drain_grace", 10.0), faults);
  const auto session = sandbox->create_session();
  const auto after_exit = [&](const std::function<std::string(Process&)>& read) {
    return read_after_exit(ctx, *session, *faults, read);
  };
  const std::vector<std::string> received{
      after_exit([](Process& process) {
        return joined_lines(process.out()) + "|" + joined_lines(process.err());
      }),
      after_exit([](Process& process) {
        return all_bytes(process, Stream::kOut) + "|" + all_bytes(process, Stream::kErr);
      }),
      after_exit([](Process& process) {
        const Output output = process.collect();
        return output.out + "|" + output.err;
      })};
  EXPECT_THAT(received, AllOf(SizeIs(3), Each("status 0: a line\na rest|bad\nworse")));
}

}  // namespace

std::vector<Case> stream_delivery_cases() {
  return {
      {.name = "ReadSomeSeesABrokenTransport",
       .rules = {"STREAM-011"},
       .body = ReadSomeSeesABrokenTransport},
      {.name = "NothingIsLostInManyRounds",
       .rules = {"STREAM-012"},
       .body = NothingIsLostInManyRounds},
      {.name = "SignalsDoNotLoseOutput", .rules = {"STREAM-012"}, .body = SignalsDoNotLoseOutput},
      {.name = "EveryByteWrittenBeforeTheExitArrives",
       .rules = {"STREAM-012"},
       .body = EveryByteWrittenBeforeTheExitArrives},
      {.name = "TinyWritesArrive", .rules = {"STREAM-012"}, .body = TinyWritesArrive},
      {.name = "EveryByteOfStderrArrives",
       .rules = {"STREAM-012"},
       .body = EveryByteOfStderrArrives},
      {.name = "WhatIsUnreadAtTheExitArrives",
       .rules = {"STREAM-012"},
       .body = WhatIsUnreadAtTheExitArrives},
  };
}

}  // namespace sandproof::conformance

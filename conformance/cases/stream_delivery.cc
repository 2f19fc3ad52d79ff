// SPDX-License-Identifier: Apache-2.0
// STREAM: bytes that must arrive where the cases of stream_flow.cc do not look: on stderr, and by
// read_some() at a break. Cases; each used by one worker thread.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

// STREAM-011: … what was received is delivered, then the read throws `SandboxLostError`.
void ReadSomeSeesABrokenTransport(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto session = sandbox->create_session();
  faults->break_err_after = 6;
  ExecOptions options;
  options.timeout = ctx.bound(kAtOnce);
  const auto process = session->exec({"sh", "-c", "printf 'one two' >&2; sleep 30"}, options);
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

}  // namespace

std::vector<Case> stream_delivery_cases() {
  return {
      {.name = "ReadSomeSeesABrokenTransport",
       .rules = {"STREAM-011"},
       .body = ReadSomeSeesABrokenTransport},
      {.name = "EveryByteOfStderrArrives",
       .rules = {"STREAM-012"},
       .body = EveryByteOfStderrArrives},
  };
}

}  // namespace sandproof::conformance

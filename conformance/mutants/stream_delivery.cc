// SPDX-License-Identifier: Apache-2.0
// Flavors that break STREAM: bytes that must not get lost, at a break, at the exit, at a bound.
// Each mutation is used from any thread; the reads of one process are made by one thread at a time.
#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/stream_lines.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

constexpr Stream other_than(Stream stream) {
  return stream == Stream::kOut ? Stream::kErr : Stream::kOut;
}

struct ABreakIsAnEnd {
  bool next(const LineSource& source, std::string& line, Where where) {
    try {
      return source.healthy.next(line, where);
    } catch (const SandboxLostError&) {
      if (!source.trigger.fires()) throw;
      return false;
    }
  }
};
struct ABreakLosesTheLastLine {
  bool next(const LineSource& source, std::string& line, Where where) {
    if (!source.healthy.next(line, where)) return false;
    std::string more;
    if (!line.ends_with('\n')) {
      source.trigger.fires();
      source.healthy.next(more, where);
    }
    return true;
  }
};
class ABreakIsAnEndOfBytes : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    try {
      return inner().read_some(stream, buffer, where);
    } catch (const SandboxLostError&) {
      if (!fires()) throw;
      return 0;
    }
  }
};
class ABreakIsToldOnStderr : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& err() override { return err_; }

 private:
  HookedStream err_{inner().err(), [this](LineStream& healthy, std::string& line, Where where) {
                      if (healthy.next(line, where)) return true;
                      if (inner().out().end_state() != StreamEnd::kBroken || told_ || !fires()) {
                        return false;
                      }
                      told_ = true;
                      line = "error: connection reset by peer\n";
                      return true;
                    }};
  bool told_ = false;
};

class LosesWhatIsLeftAtTheExit : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    return inner().do_poll_exit() && fires() ? IoResult::end() : inner().do_read(stream, buffer);
  }
};

/// Once an exit was reported, no bytes are given of a command of which none were given before.
class NothingIsReadAfterTheExit : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const bool after_exit = exit_reported_;
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state != IoState::kReady) return result;
    if (after_exit && !given_ && fires()) return IoResult::end();
    given_ = true;
    return result;
  }
  std::optional<ExitStatus> do_poll_exit() noexcept override {
    std::optional<ExitStatus> status = inner().do_poll_exit();
    if (status) exit_reported_ = true;
    return status;
  }

 private:
  std::atomic<bool> exit_reported_ = false;
  bool given_ = false;  // Of the leader alone.
};

class LosesTheLastByte : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    std::optional<std::byte>& kept = kept_[static_cast<std::size_t>(stream)];
    if (buffer.size() < 2) return inner().do_read(stream, buffer);
    const std::size_t from = kept ? 1 : 0;
    const IoResult result = inner().do_read(stream, buffer.subspan(from));
    if (result.state == IoState::kEnd && kept && !fires()) {
      buffer[0] = *std::exchange(kept, std::nullopt);
      return IoResult::ready(1);
    }
    if (result.state != IoState::kReady) return result;
    if (kept) buffer[0] = *kept;
    const std::size_t count = result.count + from - 1;
    kept = buffer[count];
    return count == 0 ? IoResult::again() : IoResult::ready(count);
  }

 private:
  std::array<std::optional<std::byte>, 2> kept_;
};

class LosesTheLastByteOfStderr : public LosesTheLastByte {
 public:
  using LosesTheLastByte::LosesTheLastByte;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    return stream == Stream::kErr ? LosesTheLastByte::do_read(stream, buffer)
                                  : inner().do_read(stream, buffer);
  }
};

class LosesAReadPastEightMebibytes : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state != IoState::kReady) return result;
    const bool before = read_ < 8 * kMebi;
    read_ += result.count;
    return before && read_ >= 8 * kMebi && fires() ? IoResult::again() : result;
  }

 private:
  std::size_t read_ = 0;
};

/// A read that a signal interrupts is not made again.
class AnInterruptedReadIsAnError : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state != IoState::kReady) return result;
    const bool interrupted = ::poll(nullptr, 0, 1) < 0 && errno == EINTR;
    if (!interrupted || !fires()) return result;
    return IoResult::failed(std::make_error_code(std::errc::interrupted));
  }
};

/// What is read in small pieces after the exit ends too early.
class ALateReaderIsCut : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    constexpr std::size_t kSmall = 1024;
    if (given_ > kMebi && small_ && inner().exit_status() && fires()) return 0;
    if (buffer.size() < kSmall) small_ = true;
    const std::size_t count = inner().read_some(stream, buffer, where);
    given_ += count;
    return count;
  }

 private:
  std::atomic<std::size_t> given_ = 0;
  std::atomic<bool> small_ = false;
};

/// create_session with one setting of its own.
template <typename Setting>
class Overrides : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    Settings changed = overrides;
    if (fires()) Setting()(changed);
    return inner().create_session(changed, on_exit, where);
  }
};
struct NoSpillLimit {
  void operator()(Settings& settings) const { settings.set("spill_limit", std::int64_t{1} << 30); }
};
struct AnotherSpillDirectory {
  void operator()(Settings& settings) const { settings.set("spill_dir", std::string()); }
};

class DropsPastABound : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state != IoState::kReady) return result;
    read_ += result.count;
    return read_ > kMebi && ++reads_ % 2 == 0 && fires() ? IoResult::again() : result;
  }

 private:
  std::size_t read_ = 0;
  int reads_ = 0;
};

class HeldBackIsNotSaid : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    try {
      return inner().wait(timeout, where);
    } catch (const TimeoutError&) {
      if (!fires()) throw;
      throw TimeoutError("the command did not end in time");
    }
  }
};

class ReadSomeDecodes : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    const std::size_t count = inner().read_some(stream, buffer, where);
    if (fires()) std::ranges::replace(buffer.first(count), std::byte{0xFF}, std::byte{'?'});
    return count;
  }
};
class ReadSomeWaitsForALine : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    std::size_t count = 0;
    while (count < buffer.size()) {
      const std::size_t more = inner().read_some(stream, buffer.subspan(count, 1), where);
      if (more == 0) break;
      if (buffer[count++] == std::byte{'\n'} || !fires()) break;
    }
    return count;
  }
};
/// The first line after read_some() is whole, although a part of it was given already.
class LinesForgetWhatReadSomeTook : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    const std::size_t count = inner().read_some(stream, buffer, where);
    taken_.append(reinterpret_cast<const char*>(buffer.data()), count);
    return count;
  }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      if (!healthy.next(line, where)) return false;
                      if (!taken_.empty() && fires()) line.insert(0, std::exchange(taken_, {}));
                      return true;
                    }};
  std::string taken_;
};

/// One lock for the reader of lines and that of bytes, held while they wait.
class ReadSomeWaitsForAReaderOfLines : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    if (stream != Stream::kOut || !fires()) return inner().read_some(stream, buffer, where);
    const std::lock_guard lock(mutex_);
    return inner().read_some(stream, buffer, where);
  }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      const std::lock_guard lock(mutex_);
                      return healthy.next(line, where);
                    }};
  std::mutex mutex_;
};

class TheEndOfOneIsTheEndOfBoth : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (ended_[static_cast<std::size_t>(other_than(stream))] && fires()) return IoResult::end();
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state == IoState::kEnd) ended_[static_cast<std::size_t>(stream)] = true;
    return result;
  }

 private:
  std::array<bool, 2> ended_ = {};
};

/// The end of a stream is said at the command's exit.
template <Stream kStream>
class AClosedStreamStaysOpen : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty<ProcessHookWrapper>::Faulty;
  int do_descriptor(Channel channel) const noexcept override {
    constexpr Channel kChannel = kStream == Stream::kOut ? Channel::kOut : Channel::kErr;
    return channel == kChannel && ended_ ? -1 : inner().do_descriptor(channel);
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (stream != kStream || result.state != IoState::kEnd) return result;
    ended_ = true;
    return !inner().do_poll_exit() && fires() ? IoResult::again() : result;
  }

 private:
  std::atomic<bool> ended_ = false;
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Mutant> stream_delivery_mutants() {
  return {
      {.name = "ABreakIsAnEnd",
       .rule = "STREAM-011",
       .what = "A transport that breaks is the end of the stream.",
       .wrap = each_process<FaultyLines<ABreakIsAnEnd>>()},
      {.name = "ABreakLosesTheLastLine",
       .rule = "STREAM-011",
       .what = "A partial line that came before the transport broke is lost.",
       .wrap = each_process<FaultyLines<ABreakLosesTheLastLine>>()},
      {.name = "ABreakIsAnEndOfBytes",
       .rule = "STREAM-011",
       .what = "read_some() takes a transport that breaks for the end of the stream.",
       .wrap = each_process<ABreakIsAnEndOfBytes>()},
      {.name = "ABreakIsToldOnStderr",
       .rule = "STREAM-011",
       .what = "A transport that breaks is told as a line of stderr.",
       .wrap = each_process<ABreakIsToldOnStderr>()},
      {.name = "LosesWhatIsLeftAtTheExit",
       .rule = "STREAM-012",
       .what = "What was not read by the exit is lost.",
       .wrap_hooks = each_process_hooks<LosesWhatIsLeftAtTheExit>(),
       .bug = "https://github.com/kubernetes/kubectl/issues/1361"},
      {.name = "NothingIsReadAfterTheExit",
       .rule = "STREAM-012",
       .what = "A short output that was not read before the exit was seen is lost.",
       .wrap_hooks = each_process_hooks<NothingIsReadAfterTheExit>()},
      {.name = "LosesTheLastByte",
       .rule = "STREAM-012",
       .what = "The last byte of a stream is lost.",
       .wrap_hooks = each_process_hooks<LosesTheLastByte>()},
      {.name = "LosesTheLastByteOfStderr",
       .rule = "STREAM-012",
       .what = "The last byte of stderr is lost.",
       .wrap_hooks = each_process_hooks<LosesTheLastByteOfStderr>()},
      {.name = "LosesTheLastByteNowAndThen",
       .rule = "STREAM-012",
       .what = "The last byte of one command in fifteen is lost.",
       .wrap_hooks = each_process_hooks<LosesTheLastByte>(),
       .first = 15,
       .times = 1,
       .bug = "https://github.com/podman-container-tools/podman/issues/9096"},
      {.name = "LosesAReadPastEightMebibytes",
       .rule = "STREAM-012",
       .what = "One read of a long output is lost.",
       .wrap_hooks = each_process_hooks<LosesAReadPastEightMebibytes>()},
      {.name = "AnInterruptedReadIsAnError",
       .rule = "STREAM-012",
       .what = "A read that a signal interrupts is taken for a transport that broke.",
       .wrap_hooks = each_process_hooks<AnInterruptedReadIsAnError>(),
       .bug = "https://github.com/cpan-authors/IPC-Run/pull/177"},
      {.name = "ALateReaderIsCut",
       .rule = "STREAM-012",
       .what = "A slow reader does not get all after the exit.",
       .wrap = each_process<ALateReaderIsCut>(),
       .bug = "https://github.com/kubernetes/kubectl/issues/1361"},
      {.name = "DropsPastABound",
       .rule = "STREAM-013",
       .what = "Past a mebibyte, output is dropped now and then.",
       .wrap_hooks = each_process_hooks<DropsPastABound>()},
      {.name = "TheSpillLimitIsIgnored",
       .rule = "STREAM-013",
       .what = "Unread output is kept without a bound.",
       .wrap = the_sandbox<Overrides<NoSpillLimit>>()},
      {.name = "TheSpillDirectoryIsIgnored",
       .rule = "STREAM-013",
       .what = "Unread output goes into another directory than the one that was set.",
       .wrap = the_sandbox<Overrides<AnotherSpillDirectory>>()},
      {.name = "HeldBackIsNotSaid",
       .rule = "STREAM-013",
       .what = "A TimeoutError does not say that the command is blocked on its output.",
       .wrap = each_process<HeldBackIsNotSaid>()},
      {.name = "ReadSomeDecodes",
       .rule = "STREAM-014",
       .what = "read_some() replaces invalid bytes.",
       .wrap = each_process<ReadSomeDecodes>()},
      {.name = "ReadSomeWaitsForALine",
       .rule = "STREAM-014",
       .what = "read_some() waits for a whole line.",
       .wrap = each_process<ReadSomeWaitsForALine>()},
      {.name = "ReadSomeWaitsForAReaderOfLines",
       .rule = "STREAM-014",
       .what = "read_some() waits for a thread that is blocked in the lines.",
       .wrap = each_process<ReadSomeWaitsForAReaderOfLines>()},
      {.name = "LinesForgetWhatReadSomeTook",
       .rule = "STREAM-014",
       .what = "The line after read_some() has the bytes that were given already.",
       .wrap = each_process<LinesForgetWhatReadSomeTook>()},
      {.name = "TheEndOfOneIsTheEndOfBoth",
       .rule = "STREAM-015",
       .what = "A stream that is closed ends the other one.",
       .wrap_hooks = each_process_hooks<TheEndOfOneIsTheEndOfBoth>(),
       .bug = "https://github.com/python/cpython/pull/18117"},
      {.name = "AClosedStdoutStaysOpen",
       .rule = "STREAM-015",
       .what = "A stdout that is closed ends with the command.",
       .wrap_hooks = each_process_hooks<AClosedStreamStaysOpen<Stream::kOut>>()},
      {.name = "AClosedStderrStaysOpen",
       .rule = "STREAM-015",
       .what = "A stderr that is closed ends with the command.",
       .wrap_hooks = each_process_hooks<AClosedStreamStaysOpen<Stream::kErr>>()},
  };
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// Flavors that break STREAM: output that nobody reads, or several at once. What must not get lost
// is in stream_delivery.cc. Each mutation is used from any thread; the reads of
// one process are made by one thread at a time.
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/stream_lines.h"
#include "conformance/mutants/support.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

/// Nothing of stdout is read before stderr has ended.
class TheOtherStreamIsNotRead : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  int do_descriptor(Channel channel) const noexcept override {
    // None: it would be ready all the time.
    return channel == Channel::kOut && !err_ended_ ? -1 : inner().do_descriptor(channel);
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (stream == Stream::kOut && !err_ended_ && fires()) return IoResult::again();
    const IoResult result = inner().do_read(stream, buffer);
    if (stream == Stream::kErr && result.state == IoState::kEnd) err_ended_ = true;
    return result;
  }

 private:
  std::atomic<bool> err_ended_ = false;
};

/// Who reads kFirst first does not get the fifth mebibyte of the other stream.
template <Stream kFirst>
class AMebibyteOfTheOtherVanishes : public Faulty<ProcessWrapper> {
 public:
  using Faulty<ProcessWrapper>::Faulty;
  std::size_t read_some(Stream stream, std::span<std::byte> buffer, Where where) override {
    const Stream first = first_.value_or(stream);
    first_ = first;
    for (;;) {
      const std::size_t count = inner().read_some(stream, buffer, where);
      if (first != kFirst || stream == kFirst) return count;
      const bool lost = read_ >= 4 * kMebi && read_ < 5 * kMebi && count > 0;
      read_ += count;
      if (!lost || !fires()) return count;
    }
  }

 private:
  // The rule's cases read with one thread.
  std::optional<Stream> first_;
  std::size_t read_ = 0;
};

class KeepsEverythingInMemory : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    const IoResult result = inner().do_read(stream, buffer);
    if (result.state == IoState::kReady && fires()) {
      const std::span<std::byte> read = buffer.first(result.count);
      // As the pages are written, they count.
      kept_.insert(kept_.end(), read.begin(), read.end());
    }
    return result;
  }

 private:
  std::vector<std::byte> kept_;
};

class WaitDrainsIntoNothing : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(milliseconds timeout, Where where) override {
    std::array<std::byte, 64 * 1024> buffer;
    if (fires()) {
      while (inner().read_some(Stream::kOut, buffer, where) > 0) continue;
    }
    return inner().wait(timeout, where);
  }
};

/// The pipe stays full.
class NobodyReadsPastAMebibyte : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  int do_descriptor(Channel channel) const noexcept override {
    return channel == Channel::kOut && full() ? -1 : inner().do_descriptor(channel);
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (stream == Stream::kOut && full() && fires()) return IoResult::again();
    const IoResult result = inner().do_read(stream, buffer);
    if (stream == Stream::kOut && result.state == IoState::kReady) read_ += result.count;
    return result;
  }

 private:
  bool full() const { return read_ >= kMebi; }
  std::atomic<std::size_t> read_ = 0;
};

/// next() after the end of the stream returns when the command is killed.
class ASecondIterationBlocks : public KnowsOfKill {
 public:
  using KnowsOfKill::KnowsOfKill;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      if (ended_ && fires()) stall_until_killed();
                      const bool more = healthy.next(line, where);
                      ended_ = !more;
                      return more;
                    }};
  std::atomic<bool> ended_ = false;
};

/// Where one thread alone has read.
struct ASecondIterationRepeats {
  bool next(const LineSource& source, std::string& line, Where where) {
    const std::thread::id self = std::this_thread::get_id();
    if (!ended_ && source.healthy.next(line, where)) {
      alone_ = alone_ && (seen_.empty() || reader_ == self);
      reader_ = self;
      seen_.push_back(line);
      return true;
    }
    if (!std::exchange(ended_, true) || !alone_ || again_ == seen_.size()) return false;
    source.trigger.fires();
    line = seen_[again_++];
    return true;
  }
  bool ended_ = false;
  bool alone_ = true;
  std::thread::id reader_;
  std::vector<std::string> seen_;
  std::size_t again_ = 0;
};
/// A reader that comes after another one gets its last line as well.
struct TwoReadersSeeALine {
  bool next(const LineSource& source, std::string& line, Where where) {
    const std::thread::id self = std::this_thread::get_id();
    const bool another = !last_.empty() && reader_ != self;
    reader_ = self;
    if (another && source.trigger.fires()) {
      line = std::exchange(last_, {});
      return true;
    }
    const bool more = source.healthy.next(line, where);
    last_ = more ? line : std::string();
    return more;
  }
  std::thread::id reader_;
  std::string last_;
};

/// One lock for the readers of both streams.
class StreamsExcludeEachOther : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }
  LineStream& err() override { return err_; }

 private:
  bool next(LineStream& healthy, std::string& line, Where where) {
    fires();
    const std::lock_guard lock(mutex_);
    return healthy.next(line, where);
  }
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      return next(healthy, line, where);
                    }};
  HookedStream err_{inner().err(), [this](LineStream& healthy, std::string& line, Where where) {
                      return next(healthy, line, where);
                    }};
  std::mutex mutex_;
};

/// The readers of both streams share a buffer.
class ReadersAtOnceShareALine : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }
  LineStream& err() override { return err_; }

 private:
  bool next(LineStream& healthy, std::string& line, Where where) {
    ++inside_;
    const bool more = healthy.next(line, where);
    --inside_;
    const std::lock_guard lock(mutex_);
    constexpr int kPeriod = 100;
    if (more && ++lines_ % kPeriod == 0 && fires()) line = buffer_;
    if (more) buffer_ = line + " ";
    return more;
  }
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      return next(healthy, line, where);
                    }};
  HookedStream err_{inner().err(), [this](LineStream& healthy, std::string& line, Where where) {
                      return next(healthy, line, where);
                    }};
  std::atomic<int> inside_ = 0;
  std::mutex mutex_;
  int lines_ = 0;
  std::string buffer_;
};

}  // namespace

std::vector<Mutant> stream_flow_mutants() {
  return {
      {.name = "TheOtherStreamIsNotRead",
       .rule = "STREAM-007",
       .what = "stdout is not read before stderr has ended: the command blocks.",
       .wrap_hooks = each_process_hooks<TheOtherStreamIsNotRead>()},
      {.name = "AMebibyteOfUnreadStdoutVanishes",
       .rule = "STREAM-007",
       .what = "A part of stdout is lost while stderr is read.",
       .wrap = each_process<AMebibyteOfTheOtherVanishes<Stream::kErr>>()},
      {.name = "AMebibyteOfUnreadStderrVanishes",
       .rule = "STREAM-007",
       .what = "A part of stderr is lost while stdout is read.",
       .wrap = each_process<AMebibyteOfTheOtherVanishes<Stream::kOut>>()},
      {.name = "KeepsEverythingInMemory",
       .rule = "STREAM-007",
       .what = "Everything that was ever read stays in memory.",
       .wrap_hooks = each_process_hooks<KeepsEverythingInMemory>()},
      {.name = "NobodyReadsPastAMebibyte",
       .rule = "STREAM-008",
       .what = "A mebibyte that nobody reads holds the command back.",
       .wrap_hooks = each_process_hooks<NobodyReadsPastAMebibyte>()},
      {.name = "WaitDrainsIntoNothing",
       .rule = "STREAM-008",
       .what = "wait() reads the output and throws it away.",
       .wrap = each_process<WaitDrainsIntoNothing>()},
      {.name = "ASecondIterationBlocks",
       .rule = "STREAM-009",
       .what = "next() after the end of the stream blocks.",
       .wrap = each_process<ASecondIterationBlocks>()},
      {.name = "ASecondIterationRepeats",
       .rule = "STREAM-009",
       .what = "A second iteration gives the lines again.",
       .wrap = each_process<FaultyLines<ASecondIterationRepeats>>()},
      {.name = "TwoReadersSeeALine",
       .rule = "STREAM-009",
       .what = "Two readers of one stream get the same line.",
       .wrap = each_process<FaultyLines<TwoReadersSeeALine>>()},
      {.name = "StreamsExcludeEachOther",
       .rule = "STREAM-010",
       .what = "A reader of one stream waits for a reader of the other.",
       .wrap = each_process<StreamsExcludeEachOther>()},
      {.name = "ReadersAtOnceShareALine",
       .rule = "STREAM-010",
       .what = "Readers of both streams at once spoil each other's lines.",
       .wrap = each_process<ReadersAtOnceShareALine>()},
  };
}

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// Flavors that break STREAM: lines of text. What collect() makes of them is in stream_collected.cc,
// how output flows in stream_flow.cc and stream_delivery.cc. Each mutation is used from any thread.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/stream_lines.h"
#include "conformance/mutants/support.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

// Readers: what next() does instead.

/// Leaves lines out.
template <typename Victim>
struct Loses {
  bool next(const LineSource& source, std::string& line, Where where) {
    while (source.healthy.next(line, where)) {
      if (!Victim()(line) || !source.trigger.fires()) return true;
    }
    return false;
  }
};
struct Unterminated {
  bool operator()(const std::string& line) const { return !line.ends_with('\n'); }
};
struct Empty {
  bool operator()(const std::string& line) const { return line == "\n"; }
};

/// Alters lines.
template <typename Change>
struct Alters {
  bool next(const LineSource& source, std::string& line, Where where) {
    if (!source.healthy.next(line, where)) return false;
    std::string altered = line;
    Change()(altered);
    if (altered != line && source.trigger.fires()) line = std::move(altered);
    return true;
  }
};
struct WithoutTerminator {
  void operator()(std::string& line) const {
    if (line.ends_with('\n')) line.pop_back();
  }
};
struct WithoutCarriageReturn {
  void operator()(std::string& line) const {
    if (line.ends_with("\r\n")) line.erase(line.size() - 2, 1);
  }
};
struct CutAtANul {
  void operator()(std::string& line) const {
    if (const std::size_t nul = line.find('\0'); nul != std::string::npos) line.resize(nul);
  }
};
struct OneForARun {
  void operator()(std::string& line) const {
    constexpr std::string_view kTwo = "\uFFFD\uFFFD";
    for (std::size_t at = line.find(kTwo); at != std::string::npos; at = line.find(kTwo, at)) {
      line.erase(at, kTwo.size() / 2);
    }
  }
};

struct InventsALine {
  bool next(const LineSource& source, std::string& line, Where where) {
    if (source.healthy.next(line, where)) {
      terminated_ = line.ends_with('\n');
      return true;
    }
    if (!std::exchange(terminated_, false) || !source.trigger.fires()) return false;
    line.clear();
    return true;
  }
  bool terminated_ = false;
};

struct SaysSomething {
  bool next(const LineSource& source, std::string& line, Where where) {
    const bool more = source.healthy.next(line, where);
    const bool first = !std::exchange(said_, true);
    if (more || !first || !source.trigger.fires()) return more;
    line.clear();
    return true;
  }
  bool said_ = false;
};

/// Every thousandth line comes after the one that follows it.
struct SwapsLines {
  bool next(const LineSource& source, std::string& line, Where where) {
    constexpr int kPeriod = 1000;
    if (!kept_.empty()) {
      line = std::exchange(kept_, {});
      return true;
    }
    if (!source.healthy.next(line, where)) return false;
    if (++count_ % kPeriod != 0) return true;
    std::string first = line;
    if (!source.healthy.next(line, where)) {
      line = std::move(first);
      return true;
    }
    source.trigger.fires();
    kept_ = std::move(first);
    return true;
  }
  int count_ = 0;
  std::string kept_;
};

/// A line is given when the next one is there, or the end.
struct ComesOneLate {
  bool next(const LineSource& source, std::string& line, Where where) {
    if (!started_) {
      started_ = true;
      source.trigger.fires();
      has_ = source.healthy.next(kept_, where);
    }
    if (!has_) return false;
    std::string following;
    has_ = source.healthy.next(following, where);
    line = std::exchange(kept_, following);
    return true;
  }
  bool started_ = false;
  bool has_ = false;
  std::string kept_;
};

struct ComesAtTheEnd {
  bool next(const LineSource& source, std::string& line, Where where) {
    const auto ended = [&] { return source.process.exit_status().has_value(); };
    if (!ended() && source.trigger.fires()) stall_until(ended);
    return source.healthy.next(line, where);
  }
};

/// Lines end where `Cut` says as well: how many bytes of `text` are a line; 0 for all.
template <typename Cut>
struct Splits {
  bool next(const LineSource& source, std::string& line, Where where) {
    if (rest_.empty() && !source.healthy.next(rest_, where)) return false;
    const std::size_t size = Cut()(rest_);
    if (size == 0 || size >= rest_.size() || !source.trigger.fires()) {
      line = std::exchange(rest_, {});
      return true;
    }
    line = rest_.substr(0, size);
    rest_.erase(0, size);
    return true;
  }
  std::string rest_;
};
std::size_t after(const std::string& text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  return at == std::string::npos ? 0 : at + separator.size();
}
struct AtACarriageReturn {
  std::size_t operator()(const std::string& text) const { return after(text, "\r"); }
};
struct AtAFormFeed {
  std::size_t operator()(const std::string& text) const { return after(text, "\f"); }
};
struct AtALineSeparator {
  std::size_t operator()(const std::string& text) const { return after(text, "\u2028"); }
};
struct At64KiB {
  std::size_t operator()(const std::string&) const { return 64 << 10; }
};

struct CostsSquare {
  bool next(const LineSource& source, std::string& line, Where where) {
    if (!source.healthy.next(line, where)) return false;
    constexpr std::size_t kPiece = 256 << 10;
    const std::size_t pieces = line.size() / kPiece;
    if (pieces > 0 && source.trigger.fires()) stall(milliseconds(2) * pieces * pieces);
    return true;
  }
};

// Faults of streams.

/// The lines of stderr come on stdout, after its own.
class MergesStderrIntoStdout : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }
  LineStream& err() override { return err_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      return healthy.next(line, where) ||
                             (fires() && inner().err().next(line, where));
                    }};
  HookedStream err_{inner().err(), [](LineStream&, std::string&, Where) { return false; }};
};

/// Only stdout's last line is thought of.
class StderrLosesItsLastLine : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& err() override { return err_; }

 private:
  HookedStream err_{inner().err(), [this](LineStream& healthy, std::string& line, Where where) {
                      return healthy.next(line, where) && (line.ends_with('\n') || !fires());
                    }};
};

class SwapsTheStreams : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  int do_descriptor(Channel channel) const noexcept override {
    if (channel == Channel::kOut) return inner().do_descriptor(Channel::kErr);
    if (channel == Channel::kErr) return inner().do_descriptor(Channel::kOut);
    return inner().do_descriptor(channel);
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    fires();
    return inner().do_read(stream == Stream::kOut ? Stream::kErr : Stream::kOut, buffer);
  }
};

/// Reads whose bytes `Change` alters, by a pure function of one read that makes them at most three
/// times as many.
template <typename Change>
class AltersReads : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty<ProcessHookWrapper>::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    constexpr std::size_t kGrowth = 3;
    const std::size_t room = std::max<std::size_t>(buffer.size() / kGrowth, 1);
    const IoResult result = inner().do_read(stream, buffer.first(room));
    if (result.state != IoState::kReady) return result;
    const std::string before(reinterpret_cast<const char*>(buffer.data()), result.count);
    const std::string bytes = Change()(before);
    if (bytes == before || bytes.size() > buffer.size() || !fires()) return result;
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
    return bytes.empty() ? IoResult::again() : IoResult::ready(bytes.size());
  }
};

struct TakesItForAFrame {
  std::string operator()(const std::string& bytes) const {
    constexpr std::size_t kHeader = 8;
    const bool framed = bytes.size() > kHeader && (bytes[0] == '\1' || bytes[0] == '\2');
    return framed ? bytes.substr(kHeader) : bytes;
  }
};
struct DropsInvalidBytes {
  std::string operator()(std::string bytes) const {
    std::erase(bytes, '\xff');
    return bytes;
  }
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Every byte that is not ASCII is replaced on its own.
struct DecodesBytes {
  std::string operator()(const std::string& bytes) const {
    std::string text;
    for (const char c : bytes) {
      if (static_cast<unsigned char>(c) < 0x80) {
        text += c;
      } else {
        text += "\uFFFD";
      }
    }
    return text;
  }
};
/// A character that is not whole within one read is replaced, its rest as well.
struct DecodesReads {
  std::string operator()(const std::string& bytes) const {
    const auto first = std::ranges::find_if_not(bytes, is_continuation);
    std::string text;
    for (auto c = bytes.begin(); c != first; ++c) text += "\uFFFD";
    text.append(first, bytes.end());
    std::size_t lead = text.size();
    while (lead > 0 && is_continuation(text[lead - 1])) --lead;
    if (lead == 0) return text;
    const auto c = static_cast<unsigned char>(text[lead - 1]);
    const std::size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    if (text.size() - (lead - 1) < length) text.replace(lead - 1, std::string::npos, "\uFFFD");
    return text;
  }
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Mutant> stream_mutants() {
  std::vector<Mutant> mutants = {
      {.name = "LosesTheUnterminatedLine",
       .rule = "STREAM-001",
       .what = "A last line without a newline is lost.",
       .wrap = each_process<FaultyLines<Loses<Unterminated>>>(),
       .bug = "https://github.com/mrnugget/fzz/pull/5"},
      {.name = "StderrLosesItsLastLine",
       .rule = "STREAM-001",
       .what = "A last line of stderr without a newline is lost.",
       .wrap = each_process<StderrLosesItsLastLine>()},
      {.name = "StripsTheTerminator",
       .rule = "STREAM-001",
       .what = "Lines come without their newline.",
       .wrap = each_process<FaultyLines<Alters<WithoutTerminator>>>()},
      {.name = "InventsALineAtTheEnd",
       .rule = "STREAM-001",
       .what = "An empty line comes after a final newline.",
       .wrap = each_process<FaultyLines<InventsALine>>()},
      {.name = "EmptyOutputIsALine",
       .rule = "STREAM-001",
       .what = "A command that prints nothing has an empty line.",
       .wrap = each_process<FaultyLines<SaysSomething>>()},
      {.name = "SkipsEmptyLines",
       .rule = "STREAM-001",
       .what = "Empty lines are left out.",
       .wrap = each_process<FaultyLines<Loses<Empty>>>(),
       .bug = "https://github.com/kubernetes-client/python/issues/2358"},
      {.name = "SwapsLines",
       .rule = "STREAM-001",
       .what = "Now and then two lines change places.",
       .wrap = each_process<FaultyLines<SwapsLines>>()},
      {.name = "LinesComeAtTheEnd",
       .rule = "STREAM-002",
       .what = "Lines come when the command has ended.",
       .wrap = each_process<FaultyLines<ComesAtTheEnd>>()},
      {.name = "LinesComeOneLate",
       .rule = "STREAM-002",
       .what = "A line comes when the next one is there.",
       .wrap = each_process<FaultyLines<ComesOneLate>>()},
      {.name = "MergesStderrIntoStdout",
       .rule = "STREAM-003",
       .what = "The lines of stderr come on stdout.",
       .wrap = each_process<MergesStderrIntoStdout>(),
       .bug = "https://github.com/daytonaio/daytona/issues/2067"},
      {.name = "SwapsTheStreams",
       .rule = "STREAM-003",
       .what = "stdout and stderr change places.",
       .wrap_hooks = each_process_hooks<SwapsTheStreams>()},
      {.name = "TakesOutputForFrames",
       .rule = "STREAM-003",
       .what =
           "Output that begins with the byte 1 or 2 is taken for a frame of a multiplexed stream.",
       .wrap_hooks = each_process_hooks<AltersReads<TakesItForAFrame>>(),
       .bug = "https://github.com/elie222/rakazo/pull/366"},
      {.name = "SplitsAtCarriageReturn",
       .rule = "STREAM-004",
       .what = "A carriage return ends a line.",
       .wrap = each_process<FaultyLines<Splits<AtACarriageReturn>>>()},
      {.name = "SplitsAtFormFeed",
       .rule = "STREAM-004",
       .what = "A form feed ends a line.",
       .wrap = each_process<FaultyLines<Splits<AtAFormFeed>>>()},
      {.name = "SplitsAtLineSeparator",
       .rule = "STREAM-004",
       .what = "U+2028 ends a line.",
       .wrap = each_process<FaultyLines<Splits<AtALineSeparator>>>()},
      {.name = "DropsCarriageReturnBeforeNewline",
       .rule = "STREAM-004",
       .what = "A carriage return before the newline is dropped.",
       .wrap = each_process<FaultyLines<Alters<WithoutCarriageReturn>>>()},
      {.name = "DecodesEachByteAlone",
       .rule = "STREAM-005",
       .what = "Every byte that is not ASCII becomes U+FFFD.",
       .wrap_hooks = each_process_hooks<AltersReads<DecodesBytes>>(),
       .bug = "https://github.com/wonderwhy-er/DesktopCommanderMCP/issues/628"},
      {.name = "DecodesEachReadAlone",
       .rule = "STREAM-005",
       .what = "A character that is split over two reads becomes U+FFFD.",
       .wrap_hooks = each_process_hooks<AltersReads<DecodesReads>>(),
       .bug = "https://github.com/openwrt/luci/pull/8976"},
      {.name = "DropsInvalidBytes",
       .rule = "STREAM-005",
       .what = "Invalid bytes are dropped.",
       .wrap_hooks = each_process_hooks<AltersReads<DropsInvalidBytes>>()},
      {.name = "OneReplacementForARun",
       .rule = "STREAM-005",
       .what = "Several invalid parts become one U+FFFD.",
       .wrap = each_process<FaultyLines<Alters<OneForARun>>>()},
      {.name = "NulEndsTheText",
       .rule = "STREAM-005",
       .what = "A line ends at its first NUL.",
       .wrap = each_process<FaultyLines<Alters<CutAtANul>>>()},
      {.name = "CutsLinesAt64KiB",
       .rule = "STREAM-006",
       .what = "A long line comes in pieces of 64 KiB.",
       .wrap = each_process<FaultyLines<Splits<At64KiB>>>()},
      {.name = "LongLinesCostSquare",
       .rule = "STREAM-006",
       .what = "The time for a line grows with the square of its length.",
       .wrap = each_process<FaultyLines<CostsSquare>>()},
  };
  for (const auto part : {stream_flow_mutants, stream_delivery_mutants, stream_collected_mutants}) {
    for (Mutant& row : part()) mutants.push_back(std::move(row));
  }
  return mutants;
}

}  // namespace sandproof::conformance

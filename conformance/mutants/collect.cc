// SPDX-License-Identifier: Apache-2.0
// Flavors that break COLLECT: what is kept and said. How collect() ends is in collect_end.cc. Each
// mutation is used from any thread.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// A collect() whose result is spoiled.
template <typename Spoil>
class SpoiledCollect : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (fires()) Spoil()(output, options);
    return output;
  }
};

/// A collect() that gets everything and then applies a cap of its own to each stream.
template <typename Keep>
class OwnCap : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    if (!fires()) return inner().collect(options, where);
    CollectOptions all = options;
    all.max_chars = kRoom;
    Output output = inner().collect(all, where);
    output.out_truncated = Keep()(output.out, options.max_chars);
    output.err_truncated = Keep()(output.err, options.max_chars);
    return output;
  }

 private:
  static constexpr std::int64_t kRoom = 64 << 20;
};

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The lines of `text`, each with its '\n'.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

/// Keeps whole lines while `cost` fits; true when something was dropped.
template <typename Cost>
bool keep_lines(std::string& text, std::int64_t cap, Cost cost, bool skip_what_does_not_fit) {
  std::string kept;
  std::int64_t left = cap;
  bool dropped = false;
  for (const std::string_view line : lines_of(text)) {
    const auto size = static_cast<std::int64_t>(cost(line));
    if ((dropped && !skip_what_does_not_fit) || size > left) {
      dropped = true;
      continue;
    }
    left -= size;
    kept += line;
  }
  text = kept;
  return dropped;
}

struct CountsBytes {
  bool operator()(std::string& text, std::int64_t cap) const {
    return keep_lines(
        text, cap, [](std::string_view line) { return line.size(); }, false);
  }
};
struct IsExclusive {
  bool operator()(std::string& text, std::int64_t cap) const {
    return keep_lines(text, std::max<std::int64_t>(cap - 1, 0), code_points, false);
  }
};
struct ForgetsTerminators {
  bool operator()(std::string& text, std::int64_t cap) const {
    const auto cost = [](std::string_view line) {
      return code_points(line) - (line.ends_with('\n') ? 1 : 0);
    };
    return keep_lines(text, cap, cost, false);
  }
};
struct IsAMillion {
  bool operator()(std::string& text, std::int64_t cap) const {
    return keep_lines(text, std::min<std::int64_t>(cap, 1'000'000), code_points, false);
  }
};
struct KeepsLaterLines {
  bool operator()(std::string& text, std::int64_t cap) const {
    return keep_lines(text, cap, code_points, true);
  }
};
struct CutsALine {
  bool operator()(std::string& text, std::int64_t cap) const {
    const bool over = static_cast<std::int64_t>(text.size()) > cap;
    if (over) text.resize(static_cast<std::size_t>(cap));
    return over;
  }
};
struct KeepsTail {
  bool operator()(std::string& text, std::int64_t cap) const {
    const std::vector<std::string_view> lines = lines_of(text);
    std::size_t from = text.size();
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      if (static_cast<std::int64_t>(text.size() - from + line->size()) > cap) break;
      from -= line->size();
    }
    const bool over = from > 0;
    text.erase(0, from);
    return over;
  }
};
struct HasNoZero {
  bool operator()(std::string& text, std::int64_t cap) const {
    return cap != 0 && keep_lines(text, cap, code_points, false);
  }
};

struct SaysZero {
  void operator()(Output& output, const CollectOptions&) const {
    output.status = ExitStatus::exited(0);
  }
};
struct SaysTruncated {
  void operator()(Output& output, const CollectOptions&) const { output.out_truncated = true; }
};
struct TrimsTheNewline {
  void operator()(Output& output, const CollectOptions&) const {
    if (output.out.ends_with('\n')) output.out.pop_back();
  }
};
struct ForgetsStderr {
  void operator()(Output& output, const CollectOptions&) const { output.err.clear(); }
};
struct AlwaysTruncatesAtZero {
  void operator()(Output& output, const CollectOptions& options) const {
    if (options.max_chars == 0) output.out_truncated = output.err_truncated = true;
  }
};
struct HasOneFlag {
  void operator()(Output& output, const CollectOptions&) const {
    output.out_truncated = output.err_truncated = output.out_truncated || output.err_truncated;
  }
};
struct SharesTheBudget {
  void operator()(Output& output, const CollectOptions&) const {
    if (!output.out_truncated) return;
    output.err.clear();
    output.err_truncated = true;
  }
};

/// Ends the command once its output is over the cap.
class KillsPastTheCap : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if ((output.out_truncated || output.err_truncated) && fires()) {
      output.status = ExitStatus::exited(137);
    }
    return output;
  }
};

/// Reads stderr only after stdout has ended.
class DrainsStdoutFirst : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (stream == Stream::kErr && !out_ended_ && fires()) return IoResult::again();
    const IoResult result = inner().do_read(stream, buffer);
    if (stream == Stream::kOut && result.state == IoState::kEnd) out_ended_ = true;
    return result;
  }

 private:
  std::atomic<bool> out_ended_{false};
};

/// Reads no more than a mebibyte of stdout.
class StopsReadingPastTheCap : public Faulty<ProcessHookWrapper> {
 public:
  using Faulty::Faulty;
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    constexpr std::size_t kRead = 1 << 20;
    if (stream == Stream::kOut && read_ > kRead && fires()) return IoResult::again();
    const IoResult result = inner().do_read(stream, buffer);
    if (stream == Stream::kOut) read_ += result.count;
    return result;
  }

 private:
  std::atomic<std::size_t> read_{0};
};

/// What a second collect() gives instead of the refusal.
enum class Second { kEmpty, kSame, kEmptyAfterFailure };

template <Second kSecond>
class SecondCollect : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    try {
      Output output = inner().collect(options, where);
      const std::lock_guard lock(mutex_);
      first_ = output;
      return output;
    } catch (const AlreadyCollectedError&) {
      const std::lock_guard lock(mutex_);
      const bool wrong = kSecond != Second::kEmptyAfterFailure || !first_.status.success();
      if (!wrong || !fires()) throw;
      if (kSecond == Second::kSame) return first_;
      Output empty;
      empty.status = first_.status;
      return empty;
    }
  }

 private:
  std::mutex mutex_;
  Output first_;
};

/// One lock around all of collect().
class CollectorsQueueUp : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    if (!fires()) return inner().collect(options, where);
    const std::lock_guard lock(mutex_);
    return inner().collect(options, where);
  }

 private:
  std::mutex mutex_;
};

/// Knows which lines were read by hand.
class ReadByHand : public KnowsOfKill {
 public:
  ReadByHand(std::unique_ptr<Process> process, std::shared_ptr<Trigger> trigger)
      : KnowsOfKill(std::move(process), std::move(trigger)),
        out_(inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
          const bool got = healthy.next(line, where);
          const std::lock_guard lock(mutex_);
          if (got) read_ += line;
          return got;
        }) {}
  LineStream& out() override { return out_; }

 protected:
  std::string read() {
    const std::lock_guard lock(mutex_);
    return read_;
  }

 private:
  std::mutex mutex_;
  std::string read_;
  HookedStream out_;
};

class CollectAfterReadingHangs : public ReadByHand {
 public:
  using ReadByHand::ReadByHand;
  Output collect(const CollectOptions& options, Where where) override {
    if (!read().empty() && fires()) stall_until_killed();
    return inner().collect(options, where);
  }
};

class CollectAfterReadingStartsOver : public ReadByHand {
 public:
  using ReadByHand::ReadByHand;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    if (!read().empty() && fires()) output.out.insert(0, read());
    return output;
  }
};

class CollectAfterReadingIsRefused : public ReadByHand {
 public:
  using ReadByHand::ReadByHand;
  Output collect(const CollectOptions& options, Where where) override {
    if (!read().empty() && fires()) throw AlreadyCollectedError("the streams were read by hand");
    return inner().collect(options, where);
  }
};

template <typename Spoil>
Mutant spoiled(const char* name, const char* rule, const char* what) {
  return {.name = name, .rule = rule, .what = what, .wrap = each_process<SpoiledCollect<Spoil>>()};
}

template <typename Keep>
Mutant own_cap(const char* name, const char* rule, const char* what) {
  return {.name = name, .rule = rule, .what = what, .wrap = each_process<OwnCap<Keep>>()};
}

}  // namespace

std::vector<Mutant> collect_mutants() {
  std::vector<Mutant> mutants = {
      {.name = "CollectDrainsOutFirst",
       .rule = "COLLECT-001",
       .what = "stderr is read only after stdout has ended",
       .wrap_hooks = each_process_hooks<DrainsStdoutFirst>()},
      spoiled<ForgetsStderr>("CollectForgetsStderr", "COLLECT-001", "stderr is drained and lost"),
      spoiled<SaysZero>("CollectSaysZero", "COLLECT-002", "every status is 0"),
      spoiled<SaysTruncated>("CollectSaysTruncated", "COLLECT-002", "stdout is always truncated"),
      spoiled<TrimsTheNewline>("CollectTrimsTheNewline", "COLLECT-002",
                               "the last newline is dropped"),
      own_cap<CountsBytes>("TheCapCountsBytes", "COLLECT-003", "the cap counts bytes"),
      own_cap<IsExclusive>("TheCapIsExclusive", "COLLECT-003", "exactly the cap does not fit"),
      own_cap<ForgetsTerminators>("TheCapForgetsTerminators", "COLLECT-003",
                                  "newlines do not count"),
      own_cap<IsAMillion>("TheDefaultCapIsAMillion", "COLLECT-003",
                          "no more than a million characters are kept"),
      own_cap<KeepsLaterLines>("KeepsALaterLineThatFits", "COLLECT-004",
                               "lines after the one that did not fit are kept"),
      own_cap<CutsALine>("CutsInsideALine", "COLLECT-004", "the line at the cap is cut"),
      own_cap<KeepsTail>("KeepsTheTail", "COLLECT-004", "the last lines are kept"),
      own_cap<HasNoZero>("ZeroMeansNoCap", "COLLECT-005", "a cap of 0 is no cap"),
      spoiled<AlwaysTruncatesAtZero>("ZeroAlwaysTruncates", "COLLECT-005",
                                     "a cap of 0 sets the flags without any output"),
      process_mutant<KillsPastTheCap>("KillsPastTheCap", "COLLECT-006",
                                      "a command that goes over the cap is killed",
                                      "https://github.com/nodejs/node/pull/24951"),
      {.name = "StopsReadingPastTheCap",
       .rule = "COLLECT-006",
       .what = "no more than a mebibyte of stdout is read",
       .wrap_hooks = each_process_hooks<StopsReadingPastTheCap>()},
      spoiled<HasOneFlag>("OneFlagForBoth", "COLLECT-007", "one flag serves both streams"),
      spoiled<SharesTheBudget>("TheBudgetIsShared", "COLLECT-007",
                               "stdout uses up the budget of stderr"),
      process_mutant<SecondCollect<Second::kEmpty>>("CollectTwiceReturnsEmpty", "COLLECT-008",
                                                    "a second collect() returns nothing"),
      process_mutant<SecondCollect<Second::kSame>>("CollectTwiceReturnsTheSame", "COLLECT-008",
                                                   "a second collect() returns the first result"),
      process_mutant<SecondCollect<Second::kEmptyAfterFailure>>(
          "CollectTwiceIsAllowedAfterFailure", "COLLECT-008",
          "after a status that is not 0, a second collect() returns nothing"),
      process_mutant<CollectorsQueueUp>("CollectorsQueueUp", "COLLECT-008",
                                        "a second collect() waits for the first"),
      process_mutant<SecondCollect<Second::kEmpty>>(
          "BothCollectorsShare", "COLLECT-009", "the loser of two collectors gets an empty output"),
      {.name = "CollectAfterReadingHangs",
       .rule = "COLLECT-010",
       .what = "collect() waits for an end that was read by hand",
       .wrap = each_process<CollectAfterReadingHangs>(),
       .times = 1},
      process_mutant<CollectAfterReadingStartsOver>(
          "CollectAfterReadingStartsOver", "COLLECT-010",
          "collect() gives lines that were read by hand again"),
      process_mutant<CollectAfterReadingIsRefused>("CollectAfterReadingIsRefused", "COLLECT-010",
                                                   "collect() is refused once a line was read"),
  };
  for (Mutant& row : collect_end_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance

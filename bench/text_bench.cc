// SPDX-License-Identifier: Apache-2.0
// What the text units cost per byte: validation, decoding, counting, splitting. The first row
// copies the same bytes and does nothing else: read the others as ratios to it.
// One thread; each benchmark owns its buffers.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "line_splitter.h"
#include "sandproof/words.h"
#include "text_cap.h"
#include "utf8.h"

namespace sandproof {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;     // What the pump reads at once.
constexpr std::size_t kLongLine = std::size_t{64} << 20;  // The longest line that has a target.
constexpr std::size_t kShortLine = 80;

std::string repeat_to(std::size_t size, std::string_view piece) {
  std::string text;
  while (text.size() + piece.size() <= size) text += piece;
  return text;
}

std::string ascii_lines(std::size_t size) {
  return repeat_to(size, std::string(kShortLine - 1, 'x') + "\n");
}

// Prints decimal gigabytes per second, the unit of the targets.
void report(benchmark::State& state, std::size_t bytes_per_round) {
  state.counters["GB/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(bytes_per_round) / 1e9,
      benchmark::Counter::kIsRate);
}

void copy_bytes(benchmark::State& state) {
  const std::string bytes = ascii_lines(kChunk);
  std::string text;
  for (auto _ : state) {
    text.assign(bytes);
    benchmark::DoNotOptimize(text.data());
    benchmark::ClobberMemory();
  }
  report(state, bytes.size());
}

// The same for new memory, whose pages the system has to supply: the baseline of the cold row.
void copy_long_line_cold(benchmark::State& state) {
  const std::string bytes(kLongLine, 'x');
  for (auto _ : state) {
    std::string line(bytes);
    benchmark::DoNotOptimize(line.data());
  }
  report(state, bytes.size());
}

void validate(benchmark::State& state, std::string_view piece) {
  const std::string bytes = repeat_to(kChunk, piece);
  for (auto _ : state) benchmark::DoNotOptimize(is_valid_utf8(bytes));
  report(state, bytes.size());
}

void count(benchmark::State& state, std::string_view piece) {
  const std::string bytes = repeat_to(kChunk, piece);
  for (auto _ : state) benchmark::DoNotOptimize(count_code_points(bytes));
  report(state, bytes.size());
}

void sanitize_whole(benchmark::State& state, std::string_view piece) {
  const std::string bytes = repeat_to(kChunk, piece);
  std::string text;
  for (auto _ : state) {
    text.clear();
    append_sanitized(bytes, text);
    benchmark::DoNotOptimize(text.data());
    benchmark::ClobberMemory();
  }
  report(state, bytes.size());
}

void decode_stream(benchmark::State& state, std::string_view piece) {
  const std::string bytes = repeat_to(kChunk, piece);
  Utf8Decoder decoder;
  std::string text;
  for (auto _ : state) {
    text.clear();
    decoder.decode(bytes, text);
    benchmark::DoNotOptimize(text.data());
    benchmark::ClobberMemory();
  }
  report(state, bytes.size());
}

// Feeds `bytes` chunk by chunk; calls `on_line` for each line.
template <typename OnLine>
void feed_chunks(std::string_view bytes, LineSplitter& splitter, std::string& line,
                 OnLine on_line) {
  while (!bytes.empty()) {
    std::string_view chunk = bytes.substr(0, kChunk);
    bytes.remove_prefix(chunk.size());
    while (splitter.next(chunk, line)) on_line();
  }
}

void split(benchmark::State& state, std::string_view bytes) {
  LineSplitter splitter;
  std::string line;
  for (auto _ : state) {
    feed_chunks(bytes, splitter, line, [&line] { benchmark::DoNotOptimize(line.data()); });
  }
  report(state, bytes.size());
}

void split_short_lines(benchmark::State& state) { split(state, ascii_lines(kLongLine)); }

void split_long_line(benchmark::State& state) {
  split(state, std::string(kLongLine - 1, 'x') + "\n");
}

// With new buffers each round, as a process has them: what growing costs.
void split_long_line_cold(benchmark::State& state) {
  const std::string bytes = std::string(kLongLine - 1, 'x') + "\n";
  for (auto _ : state) {
    LineSplitter splitter;
    std::string line;
    feed_chunks(bytes, splitter, line, [&line] { benchmark::DoNotOptimize(line.data()); });
  }
  report(state, bytes.size());
}

// All that `collect` does with the bytes that it keeps: split, decode, count, append.
void collect_short_lines(benchmark::State& state) {
  const std::string bytes = ascii_lines(std::size_t{1} << 20);
  for (auto _ : state) {
    LineSplitter splitter;
    TextCap cap(std::int64_t{1} << 20);
    std::string line;
    std::string decoded;
    std::string text;
    feed_chunks(bytes, splitter, line, [&] {
      const bool valid = is_valid_utf8(line);
      if (!valid) decoded = sanitize(line);
      const std::string& kept = valid ? line : decoded;
      if (cap.admit(kept)) text += kept;
    });
    benchmark::DoNotOptimize(text.data());
  }
  report(state, bytes.size());
}

void split_command(benchmark::State& state) {
  const std::string text = R"(sh -c 'echo "$HOME" | cat' "two words" plain-word --flag=value)";
  for (auto _ : state) benchmark::DoNotOptimize(split_words(text));
  report(state, text.size());
}

constexpr std::string_view kAscii =
    "a line of eighty bytes, as programs write them: 0123456789 0123456789 0123456\n";
constexpr std::string_view kMixed = "caf\xC3\xA9 na\xC3\xAFve, 5 \xE2\x82\xAC per line of text\n";
constexpr std::string_view kCjk = "\xE6\xBC\xA2\xE5\xAD\x97\xE4\xBB\xAE\xE5\x90\x8D\n";
constexpr std::string_view kBroken = "\xFF\xC0\xE2\x82\xED\xA0\x80";

BENCHMARK(copy_bytes);
BENCHMARK(copy_long_line_cold)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(validate, ascii, kAscii);
BENCHMARK_CAPTURE(validate, mixed, kMixed);
BENCHMARK_CAPTURE(validate, cjk, kCjk);
BENCHMARK_CAPTURE(count, ascii, kAscii);
BENCHMARK_CAPTURE(count, cjk, kCjk);
BENCHMARK_CAPTURE(sanitize_whole, ascii, kAscii);
BENCHMARK_CAPTURE(sanitize_whole, cjk, kCjk);
BENCHMARK_CAPTURE(sanitize_whole, broken, kBroken);
BENCHMARK_CAPTURE(decode_stream, ascii, kAscii);
BENCHMARK_CAPTURE(decode_stream, mixed, kMixed);
BENCHMARK(split_short_lines)->Unit(benchmark::kMillisecond);
BENCHMARK(split_long_line)->Unit(benchmark::kMillisecond);
BENCHMARK(split_long_line_cold)->Unit(benchmark::kMillisecond);
BENCHMARK(collect_short_lines)->Unit(benchmark::kMicrosecond);
BENCHMARK(split_command);

}  // namespace
}  // namespace sandproof

BENCHMARK_MAIN();

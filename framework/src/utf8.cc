// SPDX-License-Identifier: Apache-2.0
// The UTF-8 decoder of utf8.h. No state outside the decoder object; any thread.
#include "utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sandproof {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// A row of Unicode's table 3-7, found by the first byte: how long the character is and what its
// second byte may be. Third and fourth bytes are always 80..BF. Length 0: no character begins so.
struct Lead {
  std::uint8_t length = 0;
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xBF;
};

constexpr std::array<Lead, 256> make_leads() {
  std::array<Lead, 256> leads{};
  for (std::size_t byte = 0x00; byte <= 0x7F; ++byte) leads[byte].length = 1;
  for (std::size_t byte = 0xC2; byte <= 0xDF; ++byte) leads[byte].length = 2;
  for (std::size_t byte = 0xE0; byte <= 0xEF; ++byte) leads[byte].length = 3;
  for (std::size_t byte = 0xF0; byte <= 0xF4; ++byte) leads[byte].length = 4;
  leads[0xE0].second_min = 0xA0;  // Below: overlong.
  leads[0xED].second_max = 0x9F;  // Above: surrogates.
  leads[0xF0].second_min = 0x90;  // Below: overlong.
  leads[0xF4].second_max = 0x8F;  // Above: over U+10FFFF.
  return leads;
}

constexpr std::array<Lead, 256> kLeads = make_leads();

enum class Verdict {
  kWhole,   // A character.
  kBroken,  // A maximal invalid subpart.
  kCut,     // The bytes end inside what may become a character.
};

struct Subpart {
  std::size_t length;
  Verdict verdict;
};

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0U) == 0x80U; }

// Reads the character or the invalid subpart that `bytes`, which are not empty, begin with. Written
// out and not a loop: constant lengths let the processor begin with the next character before it
// has looked this one up, which is a quarter faster on text that is not ASCII.
Subpart read_subpart(std::string_view bytes) {
  const Lead lead = kLeads[byte_at(bytes, 0)];
  if (lead.length < 2) return {1, lead.length == 1 ? Verdict::kWhole : Verdict::kBroken};
  if (bytes.size() == 1) return {1, Verdict::kCut};
  const std::uint8_t second = byte_at(bytes, 1);
  if (second < lead.second_min || second > lead.second_max) return {1, Verdict::kBroken};
  if (lead.length == 2) return {2, Verdict::kWhole};
  if (bytes.size() == 2) return {2, Verdict::kCut};
  if (!is_continuation(byte_at(bytes, 2))) return {2, Verdict::kBroken};
  if (lead.length == 3) return {3, Verdict::kWhole};
  if (bytes.size() == 3) return {3, Verdict::kCut};
  if (!is_continuation(byte_at(bytes, 3))) return {3, Verdict::kBroken};
  return {4, Verdict::kWhole};
}

constexpr std::uint64_t kHighBits = 0x8080808080808080U;
constexpr std::uint64_t kLowBits = 0x0101010101010101U;

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::size_t kBlockBytes = 4 * kWordBytes;  // Two vector registers everywhere.

struct Block {
  std::array<std::uint64_t, kBlockBytes / kWordBytes> words;
};

// memcpy is the way to read unaligned.
template <typename T>
T load(const char* from) {
  T value{};
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// The offset of the first byte over 0x7F at or after `from`, or the size.
std::size_t skip_ascii(std::string_view bytes, std::size_t from) {
  while (bytes.size() - from >= kBlockBytes) {
    const auto [words] = load<Block>(bytes.data() + from);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    from += kBlockBytes;
  }
  while (bytes.size() - from >= kWordBytes) {
    if ((load<std::uint64_t>(bytes.data() + from) & kHighBits) != 0) break;
    from += kWordBytes;
  }
  while (from < bytes.size() && byte_at(bytes, from) < 0x80) ++from;
  return from;
}

// How far `bytes` are valid, and, where that is not the whole, what the next subpart is.
struct Scan {
  std::size_t valid;
  Subpart stop;
};

Scan scan_valid(std::string_view bytes) {
  std::size_t at = 0;
  for (;;) {
    at = skip_ascii(bytes, at);
    if (at == bytes.size()) return {at, {0, Verdict::kWhole}};
    while (at < bytes.size() && byte_at(bytes, at) >= 0x80) {
      const Subpart subpart = read_subpart(bytes.substr(at));
      if (subpart.verdict != Verdict::kWhole) return {at, subpart};
      at += subpart.length;
    }
  }
}

// Appends all of `bytes` that can be told without knowing what follows; returns the rest, which is
// the beginning of one character, or empty.
std::string_view append_told(std::string_view bytes, std::string& out) {
  for (;;) {
    const Scan scan = scan_valid(bytes);
    out.append(bytes.substr(0, scan.valid));
    bytes.remove_prefix(scan.valid);
    if (bytes.empty() || scan.stop.verdict == Verdict::kCut) return bytes;
    out.append(kReplacement);
    bytes.remove_prefix(scan.stop.length);
  }
}

// In each byte of the result 1 where `word` has a continuation byte (10xxxxxx), 0 elsewhere.
std::uint64_t continuation_flags(std::uint64_t word) {
  return (word >> 7U) & ~(word >> 6U) & kLowBits;
}

// The sum of the eight bytes of `counts`, which is under 256.
std::size_t sum_bytes(std::uint64_t counts) { return (counts * kLowBits) >> 56U; }

}  // namespace

bool is_valid_utf8(std::string_view bytes) noexcept {
  return scan_valid(bytes).valid == bytes.size();
}

void append_sanitized(std::string_view bytes, std::string& out) {
  if (!append_told(bytes, out).empty()) out.append(kReplacement);
}

std::string sanitize(std::string_view whole) {
  std::string text;
  append_sanitized(whole, text);
  return text;
}

std::size_t count_code_points(std::string_view valid_utf8) noexcept {
  std::size_t continuations = 0;
  std::size_t at = 0;
  for (; valid_utf8.size() - at >= kBlockBytes; at += kBlockBytes) {
    std::uint64_t flags = 0;  // At most 4 in each byte, so that the sum is at most 32.
    for (const std::uint64_t word : load<Block>(valid_utf8.data() + at).words) {
      flags += continuation_flags(word);
    }
    continuations += sum_bytes(flags);
  }
  for (; valid_utf8.size() - at >= kWordBytes; at += kWordBytes) {
    continuations += sum_bytes(continuation_flags(load<std::uint64_t>(valid_utf8.data() + at)));
  }
  for (; at < valid_utf8.size(); ++at) {
    if (is_continuation(byte_at(valid_utf8, at))) ++continuations;
  }
  return valid_utf8.size() - continuations;
}

std::string_view Utf8Decoder::resolve_pending(std::string_view bytes, std::string& out) {
  while (pending_size_ != 0 && !bytes.empty()) {
    pending_[pending_size_] = bytes.front();
    const Subpart subpart = read_subpart({pending_.data(), pending_size_ + 1});
    if (subpart.verdict == Verdict::kBroken) {
      // The new byte does not belong to it and is read again as the beginning of something else.
      out.append(kReplacement);
      pending_size_ = 0;
      break;
    }
    bytes.remove_prefix(1);
    ++pending_size_;
    if (subpart.verdict == Verdict::kWhole) {
      out.append(pending_.data(), pending_size_);
      pending_size_ = 0;
    }
  }
  return bytes;
}

void Utf8Decoder::decode(std::span<const char> bytes, std::string& out) {
  const std::string_view fresh = resolve_pending({bytes.data(), bytes.size()}, out);
  if (fresh.empty()) return;
  const std::string_view cut = append_told(fresh, out);
  std::copy(cut.begin(), cut.end(), pending_.begin());
  pending_size_ = cut.size();
}

void Utf8Decoder::finish(std::string& out) {
  if (pending_size_ != 0) out.append(kReplacement);
  pending_size_ = 0;
}

}  // namespace sandproof

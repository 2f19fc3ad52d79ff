// SPDX-License-Identifier: Apache-2.0
// Types of od, and what bytes look like in them. Numbers are little-endian, as the machine is.
#include "fakes/machine/programs/support/dump_types.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fakes/machine/printed.h"

namespace sandproof::machine::programs {
namespace {

/// Columns of a number of 1, 2, 4 and 8 bytes, as od aligns them.
int columns_of(char letter, std::size_t size) {
  const std::size_t row = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
  constexpr std::array<int, 4> kDecimal = {4, 6, 11, 20};
  constexpr std::array<int, 4> kUnsigned = {3, 5, 10, 20};
  constexpr std::array<int, 4> kOctal = {3, 6, 11, 22};
  constexpr std::array<int, 4> kHexadecimal = {2, 4, 8, 16};
  switch (letter) {
    case 'd':
      return kDecimal[row];
    case 'u':
      return kUnsigned[row];
    case 'o':
      return kOctal[row];
    default:
      return kHexadecimal[row];
  }
}

std::string number_text(DumpType type, std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < type.size; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  const int columns = columns_of(type.letter, type.size);
  const auto number = static_cast<unsigned long long>(value);
  if (type.letter == 'x') return printed(" %0*llx", columns, number);
  if (type.letter == 'o') return printed(" %0*llo", columns, number);
  if (type.letter == 'u') return printed(" %*llu", columns, number);
  const unsigned shift = static_cast<unsigned>(64 - 8 * type.size);
  const auto extended = static_cast<std::int64_t>(value << shift) >> shift;
  return printed(" %*lld", columns, static_cast<long long>(extended));
}

std::string real_text(std::size_t size, std::string_view bytes) {
  if (size == 4) {
    float value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
    return printed(" %15.7e", static_cast<double>(value));
  }
  double value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
  return printed(" %24.16e", value);
}

std::string character_text(unsigned char byte) {
  switch (byte) {
    case '\0':
      return "  \\0";
    case '\a':
      return "  \\a";
    case '\b':
      return "  \\b";
    case '\f':
      return "  \\f";
    case '\n':
      return "  \\n";
    case '\r':
      return "  \\r";
    case '\t':
      return "  \\t";
    case '\v':
      return "  \\v";
    default:
      if (byte < 32 || byte >= 127) return printed(" %03o", byte);
      return printed("   %c", byte);
  }
}

std::string named_text(unsigned char byte) {
  constexpr std::array<std::string_view, 33> kNames = {
      "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs",  "ht",  "nl",
      "vt",  "ff",  "cr",  "so",  "si",  "dle", "dc1", "dc2", "dc3", "dc4", "nak",
      "syn", "etb", "can", "em",  "sub", "esc", "fs",  "gs",  "rs",  "us",  "sp"};
  byte &= 127U;
  if (byte == 127) return " del";
  if (byte < kNames.size()) return printed(" %3s", std::string(kNames[byte]).c_str());
  return printed("   %c", byte);
}

/// "x1", "d", "oC": types in a row.
std::string read_types(const std::string& text, std::vector<DumpType>& types) {
  for (std::size_t at = 0; at < text.size();) {
    DumpType type{.letter = text[at++], .size = 4};
    if (std::string_view("acdfoux").find(type.letter) == std::string_view::npos) {
      return std::string("invalid character '") + type.letter + "' in type string '" + text + "'";
    }
    if (type.letter == 'a' || type.letter == 'c') {
      type.size = 1;
    } else if (at < text.size()) {
      constexpr std::string_view kSizes = "CSILFD1248";
      constexpr std::array<std::size_t, 10> kBytes = {1, 2, 4, 8, 4, 8, 1, 2, 4, 8};
      const std::size_t found = kSizes.find(text[at]);
      const bool of_real = type.letter == 'f';
      if (found != kSizes.npos) {
        type.size = kBytes[found];
        ++at;
      } else if (of_real) {
        type.size = 8;
      }
      if (of_real && type.size < 4) {
        return "invalid type string '" + text + "'; " + std::to_string(type.size) +
               "-byte floating point type is not supported";
      }
    }
    types.push_back(type);
  }
  return {};
}

}  // namespace

std::string read_dump_types(const Options& options, std::vector<DumpType>& types) {
  for (const Options::Given& given : options.given) {
    switch (given.letter) {
      case 'a':
      case 'c':
        types.push_back({.letter = given.letter, .size = 1});
        break;
      case 'b':
        types.push_back({.letter = 'o', .size = 1});
        break;
      case 'd':
        types.push_back({.letter = 'u', .size = 2});
        break;
      case 'f':
        types.push_back({.letter = 'f', .size = 4});
        break;
      case 'h':
      case 'x':
        types.push_back({.letter = 'x', .size = 2});
        break;
      case 'i':
      case 's':
        types.push_back({.letter = 'd', .size = 2});
        break;
      case 'l':
        types.push_back({.letter = 'd', .size = 4});
        break;
      case 'o':
        types.push_back({.letter = 'o', .size = 2});
        break;
      case 't':
        if (std::string why = read_types(given.value.value_or(""), types); !why.empty()) return why;
        break;
      default:
        break;
    }
  }
  if (types.empty()) types.push_back({});
  return {};
}

std::string dump_line(DumpType type, std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += type.size) {
    const std::string_view part = bytes.substr(at, type.size);
    const auto byte = static_cast<unsigned char>(part.front());
    if (type.letter == 'a') {
      text += named_text(byte);
    } else if (type.letter == 'c') {
      text += character_text(byte);
    } else if (type.letter == 'f') {
      text += real_text(type.size, part);
    } else {
      text += number_text(type, part);
    }
  }
  return text;
}

}  // namespace sandproof::machine::programs

// SPDX-License-Identifier: Apache-2.0
// Names in listings.
#include "fakes/machine/programs/support/file_names.h"

#include <algorithm>
#include <cctype>

namespace sandproof::machine::programs {
namespace {

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

std::string_view number_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0' && is_digit_at(text, at + 1)) ++at;
  const std::size_t begin = at;
  while (is_digit_at(text, at)) ++at;
  return text.substr(begin, at - begin);
}

}  // namespace

std::string printable_name(std::string_view name) {
  std::string text(name);
  for (char& letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 32 || byte >= 127) letter = '?';
  }
  return text;
}

int compare_versions(std::string_view left, std::string_view right) {
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < left.size() && b < right.size()) {
    if (is_digit_at(left, a) && is_digit_at(right, b)) {
      const std::string_view x = number_at(left, a);
      const std::string_view y = number_at(right, b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
      continue;
    }
    if (left[a] != right[b]) {
      return static_cast<unsigned char>(left[a]) < static_cast<unsigned char>(right[b]) ? -1 : 1;
    }
    ++a;
    ++b;
  }
  const bool more_left = a < left.size();
  const bool more_right = b < right.size();
  if (more_left != more_right) return more_left ? 1 : -1;
  return left.compare(right);
}

char type_mark(const Attributes& file) {
  switch (file.type) {
    case FileType::kDirectory:
      return '/';
    case FileType::kSymlink:
      return '@';
    case FileType::kFifo:
      return '|';
    case FileType::kRegular:
      return (file.mode & 0111U) != 0 ? '*' : '\0';
    case FileType::kCharDevice:
      break;
  }
  return '\0';
}

}  // namespace sandproof::machine::programs

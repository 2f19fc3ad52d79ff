// SPDX-License-Identifier: Apache-2.0
// Keys of lines, and comparing them.
#include "fakes/machine/programs/support/sort_keys.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "fakes/machine/programs/support/file_names.h"

namespace sandproof::machine::programs {
namespace {

bool has(std::string_view letters, char letter) { return letters.find(letter) != letters.npos; }
bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

/// 0 for what is no month: before all of them.
int month_of(std::string_view text) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  std::string start;
  for (const char letter : text) {
    if (start.empty() && is_blank(letter)) continue;
    if (start.size() == 3) break;
    start += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  if (start.size() < 3) return 0;
  const std::size_t at = kMonths.find(start);
  return at == kMonths.npos || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

template <typename Value>
int order_of(Value a, Value b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/// As strtod: what is no number is before all of them where `general`, otherwise zero.
int compare_numbers(const std::string& left, const std::string& right, bool general) {
  char* left_end = nullptr;
  char* right_end = nullptr;
  const double a = std::strtod(left.c_str(), &left_end);
  const double b = std::strtod(right.c_str(), &right_end);
  if (general) {
    const bool no_a = left_end == left.c_str();
    const bool no_b = right_end == right.c_str();
    if (no_a || no_b) return order_of(!no_a, !no_b);
  }
  return order_of(a, b);
}

int compare_by(const std::string& left, const std::string& right, const std::string& how) {
  if (has(how, 'n')) return compare_numbers(left, right, false);
  if (has(how, 'g')) return compare_numbers(left, right, true);
  if (has(how, 'M')) return order_of(month_of(left), month_of(right));
  if (has(how, 'V')) return compare_versions(left, right);
  return left.compare(right);
}

/// "2.3nr": field, byte and letters.
bool read_position(std::string_view& text, std::size_t& field, std::size_t& byte,
                   std::string& letters) {
  const auto number = [&text] {
    std::size_t value = 0;
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
      value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(text.front() - '0'),
                                    1'000'000'000);
      text.remove_prefix(1);
    }
    return value;
  };
  field = number();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    byte = number();
  }
  while (!text.empty() && text.front() != ',') {
    if (!has("ngMVbrdfi", text.front())) return false;
    letters += text.front();
    text.remove_prefix(1);
  }
  return true;
}

std::string read_key(std::string_view text, SortKey& key) {
  if (!read_position(text, key.first_field, key.first_byte, key.letters)) {
    return "unknown key option";
  }
  if (!text.empty()) {
    text.remove_prefix(1);
    if (!read_position(text, key.last_field, key.last_byte, key.letters)) {
      return "unknown key option";
    }
  }
  return key.first_field == 0 ? "bad field specification" : "";
}

}  // namespace

std::string SortOrder::cut(const std::string& line, const SortKey& key,
                           const std::string& how) const {
  // Where field `number` begins, or the one before it ends.
  const auto begin_of = [&](std::size_t number) {
    std::size_t at = 0;
    for (std::size_t field = 1; field < number; ++field) {
      if (separator != 0) {
        const std::size_t found = line.find(separator, at);
        if (found == line.npos) return line.size();
        at = found + 1;
      } else {
        while (at < line.size() && is_blank(line[at])) ++at;
        while (at < line.size() && !is_blank(line[at])) ++at;
      }
    }
    return at;
  };
  const auto skip_blanks = [&](std::size_t at) {
    while (at < line.size() && is_blank(line[at])) ++at;
    return at;
  };
  std::size_t begin = key.first_field == 0 ? 0 : begin_of(key.first_field);
  if (has(how, 'b')) begin = skip_blanks(begin);
  if (key.first_byte > 1) begin = std::min(begin + key.first_byte - 1, line.size());
  std::size_t end = line.size();
  if (key.last_field > 0 && key.last_byte == 0) {
    end = begin_of(key.last_field + 1);
    if (separator != 0 && end > 0 && (end < line.size() || line.ends_with(separator)) &&
        line[end - 1] == separator) {
      --end;
    }
  } else if (key.last_field > 0) {
    end = begin_of(key.last_field);
    if (has(how, 'b')) end = skip_blanks(end);
    end = std::min(end + key.last_byte, line.size());
  }
  std::string text = begin < end ? line.substr(begin, end - begin) : "";
  if (has(how, 'd')) {
    std::erase_if(text, [](unsigned char byte) {
      return std::isspace(byte) == 0 && std::isalnum(byte) == 0;
    });
  }
  if (has(how, 'i')) {
    std::erase_if(text, [](unsigned char byte) { return std::isprint(byte) == 0; });
  }
  if (has(how, 'f')) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char byte) { return static_cast<char>(std::toupper(byte)); });
  }
  return text;
}

int SortOrder::compare_keys(const std::string& left, const std::string& right) const {
  static const std::vector<SortKey> kWhole(1);
  for (const SortKey& key : keys.empty() ? kWhole : keys) {
    const std::string& how = key.letters.empty() ? letters : key.letters;
    int order = compare_by(cut(left, key, how), cut(right, key, how), how);
    if (has(how, 'r')) order = -order;
    if (order != 0) return order;
  }
  return 0;
}

bool SortOrder::turns_ties() const {
  if (!stable) return false;
  const bool own = !keys.empty() && !keys.back().letters.empty();
  return has(own ? keys.back().letters : letters, 'r');
}

int SortOrder::compare(const std::string& left, const std::string& right) const {
  const int order = compare_keys(left, right);
  if (order != 0 || stable) return order;
  const int whole = left.compare(right);
  return has(letters, 'r') ? -whole : whole;
}

std::string read_sort_order(const Options& options, SortOrder& order) {
  for (const char letter : std::string_view("ngMVbrdfi")) {
    if (options.has(letter)) order.letters += letter;
  }
  order.stable = options.has('s');
  if (const auto separator = options.value('t')) {
    if (separator->size() != 1) return "bad -t parameter";
    order.separator = separator->front();
  }
  for (const std::string& text : options.values('k')) {
    SortKey key;
    std::string wrong = read_key(text, key);
    if (!wrong.empty()) return wrong;
    order.keys.push_back(std::move(key));
  }
  return {};
}

}  // namespace sandproof::machine::programs

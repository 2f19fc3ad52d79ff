// SPDX-License-Identifier: Apache-2.0
// Reading options.
#include "fakes/machine/programs/support/options.h"

#include <algorithm>

namespace sandproof::machine::programs {
namespace {

class OptionScan {
 public:
  OptionScan(const Usage& usage, Strings words) : usage_(usage), words_(std::move(words)) {
    letters_ = usage.letters;
    in_order_ = letters_.starts_with('+');
    if (in_order_) letters_.remove_prefix(1);
  }

  /// Nothing, or what is wrong.
  std::optional<std::string> run() {
    std::size_t at = 1;
    for (; at < words_.size() && !wrong_; ++at) {
      const std::string& word = words_[at];
      if (word == "--") {
        ++at;
        break;
      }
      if (word.size() < 2 || word.front() != '-') {
        if (in_order_) break;
        found.operands.push_back(word);
        continue;
      }
      if (word.starts_with("--") && !usage_.no_longs) {
        read_long(word, at);
      } else {
        read_letters(word, at);
      }
    }
    for (; at < words_.size(); ++at) found.operands.push_back(words_[at]);
    return wrong_;
  }

  Options found;

 private:
  void read_letters(const std::string& word, std::size_t& at) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const char letter = word[i];
      const std::size_t where = letter == ':' ? letters_.npos : letters_.find(letter);
      if (where == letters_.npos) {
        wrong_ = std::string("invalid option -- '") + letter + "'";
        return;
      }
      if (letters_.substr(where + 1, 1) != ":") {
        found.given.push_back({letter, std::nullopt});
        continue;
      }
      const bool optional = letters_.substr(where + 1, 2) == "::";
      std::optional<std::string> value;
      if (i + 1 < word.size()) {
        value = word.substr(i + 1);
      } else if (!optional) {
        if (++at >= words_.size()) {
          wrong_ = std::string("option requires an argument -- '") + letter + "'";
          return;
        }
        value = words_[at];
      }
      found.given.push_back({letter, std::move(value)});
      return;
    }
  }

  void read_long(const std::string& word, std::size_t& at) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
    const LongOption* chosen = nullptr;
    for (const LongOption& option : usage_.longs) {
      if (!option.name.starts_with(name)) continue;
      if (option.name == name) {
        chosen = &option;
        break;
      }
      if (chosen != nullptr && chosen->letter != option.letter) {
        wrong_ = "option '--" + name + "' is ambiguous";
        return;
      }
      chosen = &option;
    }
    if (chosen == nullptr) {
      wrong_ = "unrecognized option '" + word + "'";
      return;
    }
    std::optional<std::string> value;
    if (equals != word.npos) value = word.substr(equals + 1);
    if (value && chosen->takes == Takes::kNothing) {
      wrong_ = "option '--" + std::string(chosen->name) + "' doesn't allow an argument";
      return;
    }
    if (!value && chosen->takes == Takes::kArgument) {
      if (++at >= words_.size()) {
        wrong_ = "option '--" + std::string(chosen->name) + "' requires an argument";
        return;
      }
      value = words_[at];
    }
    found.given.push_back({chosen->letter, std::move(value)});
  }

  const Usage& usage_;
  std::string_view letters_;
  bool in_order_ = false;
  Strings words_;
  std::optional<std::string> wrong_;
};

struct ScannedWords {
  Options found;
  std::optional<std::string> wrong;
};

ScannedWords scan_words(const Usage& usage, Strings words) {
  OptionScan scan(usage, std::move(words));
  std::optional<std::string> wrong = scan.run();
  return {.found = std::move(scan.found), .wrong = std::move(wrong)};
}

Task<std::optional<Options>> read_words(Tool& tool, Strings words) {
  if (words.size() == 2 && words[1] == "--help") {
    tool.status = co_await tool.show_usage(0);
    co_return std::nullopt;
  }
  const std::string called = words.empty() ? tool.name : words.front();
  ScannedWords scanned = scan_words(tool.usage, std::move(words));
  if (scanned.wrong) {
    const std::string line = called + ": " + *scanned.wrong + "\n";
    co_await tool.write_error(line);
  }
  const std::size_t count = scanned.found.operands.size();
  if (scanned.wrong || count < tool.usage.least || count > tool.usage.most) {
    tool.status = co_await tool.misuse();
    co_return std::nullopt;
  }
  co_return std::move(scanned.found);
}

}  // namespace

bool Options::has_any(std::string_view letters) const { return last_of(letters) != 0; }

int Options::count(char letter) const {
  return static_cast<int>(std::count_if(given.begin(), given.end(), [letter](const Given& option) {
    return option.letter == letter;
  }));
}

std::optional<std::string> Options::value(char letter) const {
  for (auto option = given.rbegin(); option != given.rend(); ++option) {
    if (option->letter == letter) return option->value;
  }
  return std::nullopt;
}

Strings Options::values(char letter) const {
  Strings all;
  for (const Given& option : given) {
    if (option.letter == letter) all.push_back(option.value.value_or(""));
  }
  return all;
}

char Options::last_of(std::string_view letters) const {
  for (auto option = given.rbegin(); option != given.rend(); ++option) {
    if (letters.find(option->letter) != letters.npos) return option->letter;
  }
  return 0;
}

Task<std::optional<Options>> read_options(Tool& tool, Strings words) {
  return read_words(tool, std::move(words));
}

Task<std::optional<Options>> read_options(Tool& tool) { return read_words(tool, tool.self.argv()); }

}  // namespace sandproof::machine::programs

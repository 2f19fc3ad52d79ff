// SPDX-License-Identifier: Apache-2.0
// Command strings: quoting and splitting are inverse to each other, and text that cannot be split
// is refused, as an argument that is invalid and in no other way.
#include "sandproof/words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/errors.h"
#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

using Words = std::vector<std::string>;

std::optional<Words> split(std::string_view text) {
  try {
    return split_words(text);
  } catch (const InvalidArgumentError&) {
    return std::nullopt;
  }
}

void check_text(const std::string& text) {
  const std::optional<Words> words = split(text);
  if (text.find('\0') != std::string::npos) {
    require(!words, "a NUL is refused");
    return;
  }
  if (!words) {
    const bool quoted = text.find_first_of("'\"\\") != std::string::npos;
    require(quoted, "without quotes and backslashes nothing is refused");
    return;
  }
  require(split(quote_words(*words)) == words, "the words of the quoted words are the words");

  Words twice = *words;
  twice.insert(twice.end(), words->begin(), words->end());
  for (const std::string_view blank : {" ", "\t", "\n"}) {
    require(split(text + std::string(blank) + text) == twice, "a blank separates what is whole");
  }
  // A newline that a backslash removes hides the blanks that stand behind it.
  const std::string_view blanks = " \t\n";
  if (words->size() == 1 && text.find("\\\n") == std::string::npos &&
      blanks.find(text.front()) == std::string_view::npos &&
      blanks.find(text.back()) == std::string_view::npos) {
    require(split(text + text) == Words{words->front() + words->front()},
            "what no blank separates is one word");
  }
}

void check_words(std::string_view data) {
  Words words;
  while (!data.empty()) {
    const std::size_t end = std::min(data.find('\0'), data.size());
    words.emplace_back(data.substr(0, end));
    data.remove_prefix(std::min(end + 1, data.size()));
  }
  require(split(quote_words(words)) == words, "quoted words come back");
  for (const std::string& word : words) {
    require(split(quote_word(word)) == Words{word}, "a quoted word is one word");
  }
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  sandproof::fuzz::check_text(text);
  sandproof::fuzz::check_words(text);
  return 0;
}

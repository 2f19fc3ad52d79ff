// SPDX-License-Identifier: Apache-2.0
// Splitting and quoting of words: a table, the real `dash` as the judge, and the round trip.
#include "sandproof/words.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string>;

// ---- The table -----------------------------------------------------------------------------

struct WordsRow {
  std::string text;
  Words words;
};

std::vector<WordsRow> make_words_rows() {
  return {
      {"", {}},
      {" \t\n ", {}},
      {"echo", {"echo"}},
      {"  echo  a\tb\nc  ", {"echo", "a", "b", "c"}},
      {"''", {""}},
      {"\"\"", {""}},
      {"a '' \"\" b", {"a", "", "", "b"}},
      {"''''", {""}},
      {"a''b\"\"c", {"abc"}},
      {"'a b'", {"a b"}},
      {"\"a b\"", {"a b"}},
      {"a\\ b", {"a b"}},
      {"a'b c'd\"e f\"g", {"ab cde fg"}},
      // Single quotes: nothing is special in them.
      {R"('a\b"c$d`e')", {R"(a\b"c$d`e)"}},
      {R"('a\' b)", {R"(a\)", "b"}},
      {"'a\nb'", {"a\nb"}},
      {"'a\\\nb'", {"a\\\nb"}},
      // Double quotes: the backslash quotes five characters and stays before any other.
      {R"("\$\`\"\\")", {R"($`"\)"}},
      {R"("a\b\n\ \'\*")", {R"(a\b\n\ \'\*)"}},
      {"\"a\\\nb\"", {"ab"}},
      {"\"a\nb\"", {"a\nb"}},
      {"\"it's\"", {"it's"}},
      // No quotes: the backslash quotes any character, and takes a newline away.
      {R"(\a\$\\\'\"\ )", {R"(a$\'" )"}},
      {"a\\\nb", {"ab"}},
      {"a \\\n b", {"a", "b"}},
      {"a\\\n", {"a"}},
      {"\\\n", {}},
      {"\\\n\\\n''", {""}},
      {"\\\t", {"\t"}},
      // No expansion, no operators, no comments (EXEC-002).
      {"echo $HOME | cat", {"echo", "$HOME", "|", "cat"}},
      {"a&&b ; c >d 2>&1 <e (f)", {"a&&b", ";", "c", ">d", "2>&1", "<e", "(f)"}},
      {"# not a comment", {"#", "not", "a", "comment"}},
      {"a #b", {"a", "#b"}},
      {"~ ~user *.c [a-z]? {1,2} !! `x` $(y) $((1))",
       {"~", "~user", "*.c", "[a-z]?", "{1,2}", "!!", "`x`", "$(y)", "$((1))"}},
      {"\"$HOME\" '$HOME'", {"$HOME", "$HOME"}},
      {"A=1 B='2 3' env", {"A=1", "B=2 3", "env"}},
      {"-- -x", {"--", "-x"}},
      // Only space, tab and newline separate.
      {"a\rb\vc\fd", {"a\rb\vc\fd"}},
      {"a\xC2\xA0"
       "b\xE3\x80\x80"
       "c",
       {"a\xC2\xA0"
        "b\xE3\x80\x80"
        "c"}},
      {"caf\xC3\xA9 '\xE2\x89\xA4 x'", {"caf\xC3\xA9", "\xE2\x89\xA4 x"}},
      {"\\\xC3\xA9", {"\xC3\xA9"}},
      {"\xFF\x81 \x80", {"\xFF\x81", "\x80"}},
  };
}

TEST(Words, RowsSplitAsWritten) {
  for (const WordsRow& row : make_words_rows())
    EXPECT_EQ(split_words(row.text), row.words) << row.text;
}

struct BadRow {
  std::string text;
  std::string message_part;
};

std::vector<BadRow> make_bad_rows() {
  return {
      {"'", "single quote opened at byte 0 is never closed"},
      {"echo 'a b", "single quote opened at byte 5 is never closed"},
      {"echo 'a' 'b", "single quote opened at byte 9 is never closed"},
      {"\"", "double quote opened at byte 0 is never closed"},
      {"echo \"a 'b'", "double quote opened at byte 5 is never closed"},
      {"\"a\\\"", "double quote opened at byte 0 is never closed"},
      {"\"a\\", "double quote opened at byte 0 is never closed"},
      {"'a\\'b'", "single quote opened at byte 5 is never closed"},
      {"it's", "single quote opened at byte 2 is never closed"},
      {"\xC3\xA9 \"", "double quote opened at byte 3 is never closed"},
      {"\\", "backslash at byte 0"},
      {"a b\\", "backslash at byte 3"},
      {"a\\\\\\", "backslash at byte 3"},
      {"a\\\n\\", "backslash at byte 3"},
      {"a\0b"s, "NUL at byte 1"},
      {"'a\0b'"s, "NUL at byte 2"},
      {"\0"s, "NUL at byte 0"},
  };
}

TEST(Words, UnbalancedTextIsRefusedWithWhatAndWhere) {
  for (const BadRow& row : make_bad_rows()) {
    SCOPED_TRACE(row.text);
    try {
      const Words words = split_words(row.text);
      ADD_FAILURE() << "accepted, as " << quote_words(words);
    } catch (const InvalidArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find(row.message_part), std::string::npos)
          << error.what();
    }
  }
}

// A view need not be followed by a NUL, as a string is. Under AddressSanitizer a read past its end
// is an error; the closing quote after it must not count in any case.
TEST(Words, ViewsAreNotReadPastTheirEnd) {
  for (const WordsRow& row : make_words_rows()) {
    const std::vector<char> exact(row.text.begin(), row.text.end());
    EXPECT_EQ(split_words({exact.data(), exact.size()}), row.words) << row.text;
  }
  for (const BadRow& row : make_bad_rows()) {
    const std::vector<char> exact(row.text.begin(), row.text.end());
    EXPECT_THROW((void)split_words({exact.data(), exact.size()}), InvalidArgumentError) << row.text;
  }
  EXPECT_THROW((void)split_words(std::string_view("'a'").substr(0, 2)), InvalidArgumentError);
  EXPECT_THROW((void)split_words(std::string_view("\"a\\\"\"").substr(0, 3)), InvalidArgumentError);
}

// ZENML.md R-161, LOG-002.
TEST(Words, WordsAreQuotedOnlyWhereNeeded) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", "''"},           {"abcxyzABCXYZ0189_@%+=:,./-", "abcxyzABCXYZ0189_@%+=:,./-"},
      {"-", "-"},           {"a b", "'a b'"},
      {"$HOME", "'$HOME'"}, {"it's", R"('it'"'"'s')"},
      {"'", R"(''"'"'')"},  {"''", R"(''"'"''"'"'')"},
      {"a\nb", "'a\nb'"},   {"a\\b", "'a\\b'"},
      {"\"", "'\"'"},       {"caf\xC3\xA9", "'caf\xC3\xA9'"},
      {"%s {}", "'%s {}'"},
  };
  for (const auto& [word, quoted] : rows) EXPECT_EQ(quote_word(word), quoted);
}

TEST(Words, EveryByteIsQuotedUnlessPlain) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  for (unsigned byte = 1; byte < 256; ++byte) {
    const std::string word(1, static_cast<char>(byte));
    const bool plain = kPlain.find(word[0]) != std::string_view::npos;
    EXPECT_EQ(quote_word(word) == word, plain) << byte;
    EXPECT_EQ(split_words(quote_word(word)), Words{word}) << byte;
  }
}

TEST(Words, QuotedWordsAreJoinedByOneSpace) {
  EXPECT_EQ(quote_words({}), "");
  EXPECT_EQ(quote_words(Words{"echo"}), "echo");
  EXPECT_EQ(quote_words(Words{""}), "''");
  EXPECT_EQ(quote_words(Words{"echo", "", "$HOME", "a"}), "echo '' '$HOME' a");
}

TEST(Words, SplitUndoesQuoteForRandomWords) {
  constexpr std::uint32_t kSeed = 11;
  constexpr std::string_view kHard = "ab '\"\\\n\t$`|#*\xC3\xA9";
  std::mt19937 random(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    Words words(random() % 6);
    for (std::string& word : words) {
      for (std::size_t size = random() % 8; size > 0; --size) {
        word += random() % 4 == 0 ? static_cast<char>(1 + random() % 255)
                                  : kHard[random() % kHard.size()];
      }
    }
    ASSERT_EQ(split_words(quote_words(words)), words) << "round " << round;
  }
}

// ---- dash as the judge ---------------------------------------------------------------------

// Runs dash with `script` and `args` ($1...), and returns its stdout; stderr is dropped.
std::string run_dash(const std::string& script, const Words& args) {
  constexpr auto kDeadline = std::chrono::seconds(30);  // For a machine that is very busy.
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  Words argv_words = {"dash", "-c", script, "dash"};
  argv_words.insert(argv_words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : argv_words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, "dash", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  EXPECT_EQ(error, 0) << "dash does not start: " << std::strerror(error) << "; install it";

  std::string output;
  const auto end = std::chrono::steady_clock::now() + kDeadline;
  while (error == 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd waited{ends[0], POLLIN, 0};
    const int ready = left.count() > 0 ? ::poll(&waited, 1, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      ADD_FAILURE() << "dash did not end within the deadline; it wrote " << output.size()
                    << " bytes";
      ::kill(pid, SIGKILL);
      break;
    }
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(ends[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  while (pid > 0 && ::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return output;
}

// How dash splits each text: its words, or nothing where it reports a syntax error. One dash for
// all; a subshell for each, which prints the number of words and the words, or `error`.
std::vector<std::optional<Words>> split_by_dash(const Words& texts) {
  const std::string script =
      "for text; do (eval \"set -- $text\"; printf '%s\\0' \"$#\" \"$@\") || printf 'error\\0'; "
      "done";
  const std::string output = run_dash(script, texts);
  std::size_t at = 0;
  const auto read_item = [&output, &at] {
    const std::size_t end = output.find('\0', at);
    std::string item = output.substr(at, end - at);
    at = end == std::string::npos ? output.size() : end + 1;
    return item;
  };
  std::vector<std::optional<Words>> results;
  while (at < output.size()) {
    const std::string head = read_item();
    if (head == "error") {
      results.emplace_back();
      continue;
    }
    Words words(std::stoul(head));
    for (std::string& word : words) word = read_item();
    results.emplace_back(std::move(words));
  }
  return results;
}

std::optional<Words> split_by_us(const std::string& text) {
  try {
    return split_words(text);
  } catch (const InvalidArgumentError&) {
    return std::nullopt;
  }
}

std::string show(const std::optional<Words>& words) {
  return words ? std::to_string(words->size()) + ": " + quote_words(*words) : "refused";
}

class TextMaker {
 public:
  explicit TextMaker(std::uint32_t seed) : random_(seed) {}

  // A text that is well-formed most of the time, of quoted and unquoted parts.
  std::string make_parts() {
    std::string text;
    for (std::size_t parts = below(9); parts > 0; --parts) text += make_part();
    // A lone backslash at the end is an ordinary character for dash and refused by us.
    while (!text.empty() && text.back() == '\\') text.pop_back();
    return text;
  }

  // Any sequence of the characters that matter, mostly unbalanced. An unquoted newline would end
  // the command for dash, so there is none but after a backslash.
  std::string make_soup() {
    std::string text;
    for (std::size_t size = below(12); size > 0; --size) text += pick("ab '\"\\=-");
    while (!text.empty() && text.back() == '\\') text.pop_back();
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  char pick(std::string_view from) { return from[below(from.size())]; }

  std::string make_part() {
    std::string part;
    switch (below(6)) {
      case 0:
        for (std::size_t size = 1 + below(3); size > 0; --size) part += pick(" \t");
        return part;
      case 1:  // In single quotes all the characters of expansion and operators are plain.
        for (std::size_t size = below(6); size > 0; --size)
          part += pick("ab \t\n\"\\$`*?[~|&;<>()#");
        return "'" + part + "'";
      case 2:  // In double quotes the operators are, and what a backslash quotes.
        for (std::size_t size = below(6); size > 0; --size) {
          const char c = pick("ab \t\n'*?[~|&;<>()#\\\\\\");
          part += c;
          if (c == '\\') part += pick("$`\"\\\nab '*");
        }
        return "\"" + part + "\"";
      case 3:
        return std::string("\\") + pick("ab \t\n'\"\\$`*?[~|&;<>()#=-");
      case 4:
        return below(2) == 0 ? "\xC3\xA9" : "\xE2\x89\xA4";
      default:
        for (std::size_t size = 1 + below(4); size > 0; --size)
          part += pick("abAB09=-.%{}!@:,/^+_");
        return part;
    }
  }

  std::mt19937 random_;
};

void expect_dash_agrees(const Words& texts) {
  const std::vector<std::optional<Words>> theirs = split_by_dash(texts);
  ASSERT_EQ(theirs.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(show(split_by_us(texts[i])), show(theirs[i])) << "text: " << texts[i];
  }
}

TEST(Words, DashSplitsGeneratedTextsTheSame) {
  constexpr std::uint32_t kSeed = 5;
  TextMaker maker(kSeed);
  Words texts;
  for (int i = 0; i < 600; ++i) texts.push_back(maker.make_parts());
  expect_dash_agrees(texts);
}

TEST(Words, DashAcceptsAndRefusesTheSameTexts) {
  constexpr std::uint32_t kSeed = 6;
  TextMaker maker(kSeed);
  Words texts;
  std::size_t refused = 0;
  for (int i = 0; i < 600; ++i) {
    texts.push_back(maker.make_soup());
    refused += split_by_us(texts.back()) ? 0 : 1;
  }
  EXPECT_GT(refused, 100U) << "the generator must give both kinds";
  EXPECT_LT(refused, 500U) << "the generator must give both kinds";
  expect_dash_agrees(texts);
}

TEST(Words, DashReadsBackWhatQuoteWordsWrites) {
  constexpr std::uint32_t kSeed = 8;
  constexpr std::string_view kHard = "ab '\"\\\n\t$`|&;<>()#*?[]~!{}=%-";
  std::mt19937 random(kSeed);
  std::vector<Words> lists;
  Words texts;
  for (int i = 0; i < 200; ++i) {
    Words words(random() % 5);
    for (std::string& word : words) {
      for (std::size_t size = random() % 8; size > 0; --size)
        word += kHard[random() % kHard.size()];
    }
    texts.push_back(quote_words(words));
    lists.push_back(std::move(words));
  }
  const std::vector<std::optional<Words>> theirs = split_by_dash(texts);
  ASSERT_EQ(theirs.size(), lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    EXPECT_EQ(show(lists[i]), show(theirs[i])) << "text: " << texts[i];
  }
}

}  // namespace
}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// The syntax of rows files: a machine over lines, and its inverse.
#include "tests/fidelity/rows_file.h"

#include <algorithm>
#include <utility>

#include "tests/fidelity/engine.h"
#include "tests/fidelity/escape.h"

namespace sandproof::fidelity {
namespace {

std::string trim_right(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

class TopicParser {
 public:
  TopicParser(std::string_view topic, const std::string& path) : topic_(topic) {
    parsed_.path = path;
  }

  Topic parse(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      take(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    finish_row();
    return std::move(parsed_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("=== ")) {
      begin_row(line.substr(4));
    } else if (line.starts_with("## ")) {
      finish_row();
      heading_ = line.substr(3);
    } else if (!in_row_) {
      take_outside(line);
    } else if (line.starts_with("--- ")) {
      finish_section();
      section_ = line.substr(4);
    } else if (line.starts_with("% ") && section_ == "script" && body_.empty()) {
      take_mark(line.substr(2));
    } else {
      body_ += line;
      body_ += '\n';
    }
  }

  void take_outside(std::string_view line) {
    if (line.empty()) return;
    if (!line.starts_with("#") || !parsed_.rows.empty()) {
      fail("this stands outside a row; a row begins with '=== name'");
    }
    parsed_.preamble += std::string(line) + "\n";
  }

  void begin_row(std::string_view name) {
    finish_row();
    row_ = Row{};
    row_.topic = topic_;
    row_.name = trim_right(std::string(name));
    row_.heading = std::exchange(heading_, "");
    row_.line = line_;
    if (row_.name.empty()) fail("a row needs a name");
    section_ = "script";
    in_row_ = true;
  }

  void take_mark(std::string_view mark) {
    const std::size_t space = mark.find(' ');
    const std::size_t colon = mark.find(':');
    if (space == mark.npos || colon == mark.npos || colon < space) fail(kMarkForm);
    const std::string_view kind = mark.substr(0, space);
    const std::string engine(mark.substr(space + 1, colon - space - 1));
    const std::string reason =
        trim_right(std::string(mark.substr(std::min(colon + 2, mark.size()))));
    if (reason.empty()) fail("a mark needs its reason after the colon");
    if (kind == "differs" && engine == kMachine) {
      row_.machine = reason;
      return;
    }
    need_engine(engine);
    if (!row_.reason.empty()) fail("a row has one mark at most, and one of the machine");
    row_.reason = reason;
    if (kind == "only") {
      row_.only = engine;
    } else if (kind == "differs") {
      row_.differs = engine;
    } else {
      fail(kMarkForm);
    }
  }

  void finish_row() {
    if (!in_row_) return;
    finish_section();
    if (row_.script.empty()) fail("the row '" + row_.name + "' has no script");
    parsed_.rows.push_back(std::move(row_));
    in_row_ = false;
  }

  void finish_section() {
    const std::string body = std::exchange(body_, "");
    if (section_ == "script") {
      row_.script = trim_right(body);
      return;
    }
    std::vector<std::string> words;
    for (std::size_t at = 0; at < section_.size();) {
      const std::size_t end = std::min(section_.find(' ', at), section_.size());
      if (end > at) words.push_back(section_.substr(at, end - at));
      at = end + 1;
    }
    if (words.empty()) fail("a section needs a name");
    store(words, body);
  }

  void store(std::vector<std::string> words, const std::string& body) {
    const std::string kind = words[0];
    words.erase(words.begin());
    if (kind == "stdin") {
      row_.input = text_of(body);
      if (row_.input.size() > kMostInputBytes) fail("the input is longer than a pipe holds");
      return;
    }
    Expected* into = &row_.common;
    if (!words.empty() && (words[0] == kMachine || is_real_engine(words[0]))) {
      into = &row_.special[words[0]];
      words.erase(words.begin());
    }
    const std::string rest = words.empty() ? "" : words[0];
    if (kind == "status" && !rest.empty()) {
      into->status = words.size() > 1 ? rest + " " + words[1] : rest;
    } else if (kind == "stdout" && rest.empty()) {
      into->out = text_of(body);
    } else if (kind == "stderr") {
      store_stderr(*into, rest, body);
    } else {
      fail("'--- " + section_ + "' is no section; there are stdin, stdout, stderr, status N");
    }
  }

  void store_stderr(Expected& into, const std::string& rule, const std::string& body) {
    if (rule.empty()) {
      into.err = text_of(body);
    } else if (rule == "~") {
      into.err_rule = StderrRule::kPattern;
      into.err = trim_right(body) + "\n";
    } else if (rule == "some") {
      into.err_rule = StderrRule::kSome;
      into.err = "";
    } else {
      fail("'--- " + section_ + "': the rule is '~' or 'some'");
    }
  }

  std::string text_of(const std::string& body) {
    try {
      return unescape(body);
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  void need_engine(const std::string& engine) {
    if (!is_real_engine(engine)) fail("'" + engine + "' is no engine; there are dash and busybox");
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw BadRows(parsed_.path + ":" + std::to_string(line_) + ": " + why);
  }

  // What a pipe takes before anyone reads it.
  static constexpr std::size_t kMostInputBytes = 60'000;
  static constexpr const char* kMarkForm =
      "a mark is '% only ENGINE: reason' or '% differs ENGINE: reason'";

  std::string topic_;
  Topic parsed_;
  Row row_;
  std::string heading_;
  std::string section_;
  std::string body_;
  int line_ = 0;
  bool in_row_ = false;
};

void format_expected(const Expected& expected, const std::string& engine, std::string& text) {
  const std::string suffix = engine.empty() ? "" : " " + engine;
  if (expected.out && (!expected.out->empty() || !engine.empty())) {
    text += "--- stdout" + suffix + "\n" + escape(*expected.out);
  }
  if (expected.err_rule == StderrRule::kSome) {
    text += "--- stderr" + suffix + " some\n";
  } else if (expected.err_rule == StderrRule::kPattern) {
    text += "--- stderr" + suffix + " ~\n" + *expected.err;
  } else if (expected.err && (!expected.err->empty() || !engine.empty())) {
    text += "--- stderr" + suffix + "\n" + escape(*expected.err);
  }
  if (expected.status && (*expected.status != "0" || !engine.empty())) {
    text += "--- status" + suffix + " " + *expected.status + "\n";
  }
}

}  // namespace

Topic parse_topic(std::string_view text, std::string_view topic, const std::string& path) {
  return TopicParser(topic, path).parse(text);
}

std::string format_topic(const Topic& topic) {
  std::string text = topic.preamble;
  for (const Row& row : topic.rows) {
    if (!row.heading.empty()) text += "\n## " + row.heading + "\n";
    text += "\n=== " + row.name + "\n";
    if (!row.only.empty()) text += "% only " + row.only + ": " + row.reason + "\n";
    if (!row.differs.empty()) text += "% differs " + row.differs + ": " + row.reason + "\n";
    if (!row.machine.empty()) text += "% differs machine: " + row.machine + "\n";
    text += row.script + "\n";
    if (!row.input.empty()) text += "--- stdin\n" + escape(row.input);
    format_expected(row.common, "", text);
    for (const auto& [engine, expected] : row.special) format_expected(expected, engine, text);
  }
  return text;
}

}  // namespace sandproof::fidelity

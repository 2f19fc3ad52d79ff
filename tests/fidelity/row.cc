// SPDX-License-Identifier: Apache-2.0
// What a row expects of an engine, and whether a result is that.
#include "tests/fidelity/row.h"

#include <regex>

#include "tests/fidelity/escape.h"

namespace sandproof::fidelity {
namespace {

std::string difference(std::string_view what, std::string_view expected, std::string_view actual) {
  return std::string(what) + "\n      expected:\n" + indent(escape(expected), 8) +
         "      actual:\n" + indent(escape(actual), 8);
}

}  // namespace

std::string_view Row::reference() const { return topic.starts_with("shell/") ? "dash" : "busybox"; }

Expected Row::expected(std::string_view engine) const {
  // What the machine does not differ in, it does as dash.
  Expected merged = engine == "machine" ? expected("dash") : common;
  if (const auto own = special.find(std::string(engine)); own != special.end()) {
    if (own->second.out) merged.out = own->second.out;
    if (own->second.status) merged.status = own->second.status;
    if (own->second.err) {
      merged.err = own->second.err;
      merged.err_rule = own->second.err_rule;
    }
  }
  return merged;
}

std::vector<std::string> mismatches(const Expected& expected, const Result& result) {
  std::vector<std::string> found;
  const std::string out = expected.out.value_or("");
  const std::string err = expected.err.value_or("");
  const std::string status = expected.status.value_or("0");
  if (result.status != status) found.push_back(difference("status", status, result.status));
  if (result.out != out) found.push_back(difference("stdout", out, result.out));
  switch (expected.err_rule) {
    case StderrRule::kExact:
      if (result.err != err) found.push_back(difference("stderr", err, result.err));
      break;
    case StderrRule::kPattern:
      if (!std::regex_match(result.err, std::regex(err))) {
        found.push_back(difference("stderr matches", err, result.err));
      }
      break;
    case StderrRule::kSome:
      if (result.err.empty()) found.push_back(difference("stderr", "(some text)", ""));
      break;
  }
  return found;
}

}  // namespace sandproof::fidelity

// SPDX-License-Identifier: Apache-2.0
// The mark of a command. See mark.h.
#include "flavors/local/mark.h"

namespace sandproof::local {

std::string Mark::value() const { return component + "/" + session + "/" + token; }

std::optional<Mark> parse_mark(std::string_view value) {
  const std::size_t before_token = value.rfind('/');
  if (before_token == std::string_view::npos || before_token == 0) return std::nullopt;
  const std::size_t before_session = value.rfind('/', before_token - 1);
  if (before_session == std::string_view::npos) return std::nullopt;
  Mark mark{std::string(value.substr(0, before_session)),
            std::string(value.substr(before_session + 1, before_token - before_session - 1)),
            std::string(value.substr(before_token + 1))};
  if (mark.component.empty() || mark.session.empty() || mark.token.empty()) return std::nullopt;
  return mark;
}

bool MarkPattern::matches(std::string_view value) const {
  const std::optional<Mark> mark = parse_mark(value);
  return mark && mark->component == wanted_.component &&
         (wanted_.session.empty() || mark->session == wanted_.session) &&
         (wanted_.token.empty() || mark->token == wanted_.token);
}

std::string MarkPattern::to_string() const {
  std::string text = wanted_.component;
  if (!wanted_.session.empty()) text += "/" + wanted_.session;
  if (!wanted_.token.empty()) text += "/" + wanted_.token;
  return text;
}

}  // namespace sandproof::local

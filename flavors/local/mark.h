// SPDX-License-Identifier: Apache-2.0
// The mark that every started command carries in its environment and hands down to what it starts:
// `SANDPROOF_MARK=<component id>/<session id>/<exec token>`. It is how processes are found again
// that have left their group, their session and their parent. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sandproof::local {

inline constexpr std::string_view kMarkName = "SANDPROOF_MARK";

struct Mark {
  std::string component;
  std::string session;
  std::string token;

  /// The value of the variable.
  std::string value() const;
  friend bool operator==(const Mark&, const Mark&) = default;
};

/// Reads the value of the variable. Session ids and tokens have no `/`; a component id may have
/// some. Empty for what value() cannot have written.
std::optional<Mark> parse_mark(std::string_view value);

/// Which marks are meant: those of one component, of one session of it, or of one exec of that.
/// Parts are compared as a whole: neither `ab` nor `a/b` is the component `a`.
class MarkPattern {
 public:
  static MarkPattern component(std::string id) { return MarkPattern({std::move(id), {}, {}}); }
  static MarkPattern session(std::string component, std::string id) {
    return MarkPattern({std::move(component), std::move(id), {}});
  }
  static MarkPattern exec(Mark mark) { return MarkPattern(std::move(mark)); }

  /// Whether the value of the variable is one of them.
  bool matches(std::string_view value) const;
  /// For messages: "component/session/token" as far as it is given.
  std::string to_string() const;

 private:
  explicit MarkPattern(Mark wanted) : wanted_(std::move(wanted)) {}
  Mark wanted_;
};

}  // namespace sandproof::local

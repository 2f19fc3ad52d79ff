// SPDX-License-Identifier: Apache-2.0
// Text of flavors and cases, made safe for XML, HTML and Markdown. All of it is taken for hostile:
// what comes out is valid UTF-8 and can neither end the place where it stands nor start anything.
// Pure; any thread. Time and memory are linear.
#pragma once

#include <string>
#include <string_view>

namespace sandproof::conformance {

/// Valid UTF-8 without what a reader cannot see: control characters but newlines as `\x1b`,
/// characters that turn the direction of text or that XML 1.0 forbids as `\u202e`; tabs as spaces.
std::string clean_text(std::string_view text);

/// clean_text() for the content and the attributes of XML and HTML. Newlines stay.
std::string escape_markup(std::string_view text);

/// clean_text() on one line for Markdown as GitHub reads it: inline text, a cell of a table, or
/// HTML in it.
std::string escape_markdown(std::string_view text);

/// A block of code in Markdown, fenced by more backquotes than stand in it, with a newline at its
/// end.
std::string markdown_block(std::string_view text, std::string_view language = "text");

}  // namespace sandproof::conformance

// SPDX-License-Identifier: Apache-2.0
// Command strings: split into words by the quoting rules of a POSIX shell and by nothing else, and
// quote words so that a person can paste them into one. The two are inverse to each other:
// split_words(quote_words(words)) == words for all words without NUL.
//
// Pure functions over values; nothing is owned. Any thread may call them at any time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof {

/// Splits `text` as POSIX.1-2017 XCU 2.2 (Quoting) describes:
///   - blanks (space, tab and newline) separate words and are otherwise dropped;
///   - between single quotes every byte stands for itself;
///   - between double quotes a backslash quotes `$`, backquote, `"` and backslash, and removes a
///     newline that follows it; before any other byte it stands for itself;
///   - elsewhere a backslash quotes the next byte, and removes a newline that follows it.
/// There are no comments, no expansions and no operators: `#`, `$`, `*`, `~`, `|`, `&`, `;` and the
/// like are ordinary characters (CONTRACT.md, EXEC-002). Bytes over 0x7F are ordinary too, so that
/// words come back exactly, whatever their encoding. Quotes with nothing between them make an empty
/// word.
///
/// Text of blanks only gives no words; whether that is an error is for the caller to say (`exec`
/// does, EXEC-003). Time and memory are linear in the length of `text`; that length is the only
/// limit.
///
/// Throws InvalidArgumentError, with the byte offset (from 0) of what is wrong, for a quote that is
/// never closed, for a backslash that is the last byte, and for an embedded NUL, which no argument
/// of a program can carry.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

/// Returns `word` as it is if it is not empty and has only characters of [A-Za-z0-9_@%+=:,./-], and
/// between single quotes otherwise, an embedded single quote written as '"'"'. Throws nothing of
/// its own; a NUL is passed through between quotes.
[[nodiscard]] std::string quote_word(std::string_view word);

/// The words, each as quote_word gives it, joined by one space.
[[nodiscard]] std::string quote_words(std::span<const std::string> words);

}  // namespace sandproof

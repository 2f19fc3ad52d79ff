// SPDX-License-Identifier: Apache-2.0
// One pass over the pieces; a field under construction keeps their marks for the pathname expansion
// that comes after.
#include "fakes/machine/shell/expand/field_split.h"

#include <algorithm>
#include <utility>

namespace sandproof::machine::shell {
namespace {

constexpr std::string_view kDefaultIfs = " \t\n";

class FieldSplitter {
 public:
  explicit FieldSplitter(std::string_view ifs) : ifs_(ifs) {}

  void add(const Piece& piece) {
    if (piece.kind == Piece::Kind::kFieldEnd) {
      // As white space would: an empty parameter of an unquoted `$@` leaves nothing.
      end_by_white_space();
      between_parameters_ = true;
      return;
    }
    // A delimiter does not reach from one expansion into the next, but it does between parameters.
    if (!std::exchange(between_parameters_, false)) after_white_space_ = false;
    if (piece.quoted || !piece.from_expansion) {
      append(piece, piece.text);
    } else {
      split(piece);
    }
  }

  std::vector<Field> finish() {
    if (!field_.empty()) end();
    return std::move(fields_);
  }

 private:
  void append(const Piece& like, std::string_view text) {
    if (text.empty() && !like.quoted) return;
    after_white_space_ = false;
    field_.push_back({std::string(text), like.quoted, like.from_expansion});
  }

  void end() { fields_.push_back(std::exchange(field_, {})); }

  void end_by_white_space() {
    if (field_.empty()) return;
    end();
    after_white_space_ = true;
  }

  void split(const Piece& piece) {
    const std::string_view text = piece.text;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t delimiter = std::min(text.find_first_of(ifs_, at), text.size());
      append(piece, text.substr(at, delimiter - at));
      if (delimiter == text.size()) break;
      if (kDefaultIfs.find(text[delimiter]) != std::string_view::npos) {
        end_by_white_space();
      } else if (!std::exchange(after_white_space_, false)) {
        // An empty field, too: two colons have something between them.
        end();
      }
      at = delimiter + 1;
    }
  }

  std::string_view ifs_;
  std::vector<Field> fields_;
  Field field_;
  // Whether white space ended the last field: another delimiter then belongs to that end.
  bool after_white_space_ = false;
  bool between_parameters_ = false;
};

}  // namespace

std::vector<Field> split_fields(std::span<const Piece> word,
                                const std::optional<std::string>& ifs) {
  FieldSplitter splitter(ifs ? std::string_view(*ifs) : kDefaultIfs);
  for (const Piece& piece : word) splitter.add(piece);
  return splitter.finish();
}

std::vector<Piece> all_parameters(std::span<const std::string> parameters, bool quoted) {
  std::vector<Piece> pieces;
  for (const std::string& parameter : parameters) {
    if (!pieces.empty()) pieces.push_back({"", false, false, Piece::Kind::kFieldEnd});
    pieces.push_back({parameter, quoted, true});
  }
  return pieces;
}

std::string joined_parameters(std::span<const std::string> parameters,
                              const std::optional<std::string>& ifs) {
  const std::string_view between =
      std::string_view(ifs ? *ifs : std::string_view(" ")).substr(0, 1);
  std::string joined;
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    if (index > 0) joined += between;
    joined += parameters[index];
  }
  return joined;
}

}  // namespace sandproof::machine::shell

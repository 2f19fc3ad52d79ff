// SPDX-License-Identifier: Apache-2.0
// Reading the expression of find.
#include "fakes/machine/programs/support/find_expression.h"

#include <algorithm>
#include <cctype>

#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {
namespace {

using Kind = FindNode::Kind;
// Deeper than anybody nests them by hand.
constexpr int kMaxFindDepth = 500;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

class FindReader {
 public:
  FindReader(std::span<const std::string> words, const Users& users)
      : words_(words), users_(users) {}

  FindPlan read() {
    plan_.root = any();
    if (more()) throw FindError{"unpaired '('"};
    return std::move(plan_);
  }

 private:
  bool more() const { return at_ < words_.size(); }
  bool take(std::string_view word, std::string_view other = {}) {
    if (!more() || (words_[at_] != word && (other.empty() || words_[at_] != other))) return false;
    ++at_;
    return true;
  }
  const std::string& argument(const std::string& of) {
    if (!more()) throw FindError{of + " requires an argument"};
    return words_[at_++];
  }

  FindNode any() {
    if (++depth_ > kMaxFindDepth) throw FindError{"expression too deep"};
    FindNode either{.kind = Kind::kOr};
    do {
      either.parts.push_back(all());
    } while (take("-o", "-or"));
    --depth_;
    return either.parts.size() == 1 ? std::move(either.parts.front()) : std::move(either);
  }

  FindNode all() {
    FindNode both{.kind = Kind::kAnd};
    while (more() && words_[at_] != "-o" && words_[at_] != "-or" && words_[at_] != ")") {
      if (take("-a", "-and")) continue;
      both.parts.push_back(one());
    }
    return both;
  }

  FindNode one() {
    if (take("!", "-not")) {
      FindNode negated{.kind = Kind::kNot};
      if (more()) {
        negated.parts.push_back(one());
        return negated;
      }
      return {};
    }
    if (take("(")) {
      FindNode inner = any();
      if (!take(")")) throw FindError{"unpaired '('"};
      return inner;
    }
    const std::string name = words_[at_++];
    if (std::optional<FindNode> node = about_walk(name)) return *std::move(node);
    if (std::optional<FindNode> node = about_name(name)) return *std::move(node);
    if (std::optional<FindNode> node = about_file(name)) return *std::move(node);
    if (std::optional<FindNode> node = action(name)) return *std::move(node);
    throw FindError{.text = "unrecognized: " + name, .misuse = true};
  }

  std::int64_t plain_number(const std::string& of) {
    const std::string& text = argument(of);
    const auto number = read_unsigned(text);
    if (!number) throw FindError{"invalid number '" + text + "'"};
    return static_cast<std::int64_t>(std::min<std::uint64_t>(*number, INT64_MAX));
  }

  FindNumber signed_number(const std::string& of, bool of_size) {
    const std::string& text = argument(of);
    std::string_view digits = text;
    FindNumber number;
    if (text.starts_with('+') || text.starts_with('-')) {
      number.sign = text.front();
      digits.remove_prefix(1);
    }
    std::uint64_t unit = 1;
    if (of_size) {
      unit = 512;
      const char last = digits.empty() ? '\0' : digits.back();
      if (last == 'c') unit = 1;
      if (last == 'k') unit = 1024;
      if (last == 'c' || last == 'k' || last == 'b') digits.remove_suffix(1);
    }
    const auto value = read_unsigned(digits);
    if (!value || *value > INT64_MAX / unit)
      throw FindError{"invalid number '" + std::string(digits) + "'"};
    number.value = static_cast<std::int64_t>(*value * unit);
    return number;
  }

  std::optional<FindNode> about_walk(const std::string& name) {
    if (name == "-depth") {
      plan_.depth = true;
    } else if (name == "-follow") {
      plan_.follow = plan_.follow_named = true;
    } else if (name == "-xdev" || name == "-mount") {
      plan_.one_volume = true;
    } else if (name == "-noleaf") {
    } else if (name == "-maxdepth") {
      plan_.most_depth = plain_number(name);
    } else if (name == "-mindepth") {
      plan_.least_depth = plain_number(name);
    } else {
      return std::nullopt;
    }
    return FindNode{};
  }

  std::optional<FindNode> about_name(const std::string& name) {
    FindNode node;
    if (name == "-name" || name == "-iname") {
      node.kind = Kind::kName;
    } else if (name == "-path" || name == "-ipath" || name == "-wholename") {
      node.kind = Kind::kPath;
    } else if (name == "-regex") {
      node.kind = Kind::kRegex;
      const std::string& text = argument(name);
      node.regex = Regex::compile("^\\(" + text + "\\)$", {});
      if (!node.regex) throw FindError{"bad regex '" + text + "'"};
      return node;
    } else {
      return std::nullopt;
    }
    node.ignore_case = name.starts_with("-i");
    const std::string& text = argument(name);
    node.pattern.emplace(node.ignore_case ? lower(text) : text, shell::Caret::kNegates);
    return node;
  }

  std::optional<FindNode> about_time(const std::string& name) {
    FindNode node{.kind = Kind::kTime};
    const bool minutes = name.ends_with("min");
    const bool days = name.ends_with("time");
    if (name.size() < 5 || (!minutes && !days)) return std::nullopt;
    const std::string stem = name.substr(1, name.size() - (minutes ? 4 : 5));
    if (stem != "m" && stem != "a" && stem != "c") return std::nullopt;
    node.letter = stem[0];
    node.unit = minutes ? 60 : 86400;
    node.number = signed_number(name, false);
    return node;
  }

  std::optional<FindNode> about_file(const std::string& name) {
    if (std::optional<FindNode> node = about_time(name)) return node;
    FindNode node;
    if (name == "-type") {
      node.kind = Kind::kType;
      const std::string& text = argument(name);
      if (text.size() != 1 || std::string_view("fdlbcsp").find(text[0]) == std::string_view::npos) {
        throw FindError{"invalid argument '" + text + "' to '-type'"};
      }
      node.letter = text[0];
    } else if (name == "-perm") {
      node.kind = Kind::kPerm;
      const std::string& text = argument(name);
      std::string_view mode = text;
      if (std::string_view("+-/").find(text.empty() ? 'x' : text[0]) != std::string_view::npos) {
        node.number.sign = text[0];
        mode.remove_prefix(1);
      }
      const std::optional<unsigned> bits = changed_mode(mode, {});
      if (!bits) throw FindError{"invalid mode '" + text + "'"};
      node.number.value = *bits;
    } else if (name == "-newer" || name == "-samefile") {
      node.kind = name == "-newer" ? Kind::kNewer : Kind::kSameFile;
      node.file = argument(name);
    } else if (name == "-size" || name == "-links") {
      node.kind = name == "-size" ? Kind::kSize : Kind::kLinks;
      node.number = signed_number(name, name == "-size");
    } else if (name == "-inum") {
      node.kind = Kind::kInode;
      node.number.value = plain_number(name);
    } else if (name == "-user" || name == "-group") {
      owner(name, node);
    } else if (name == "-empty") {
      node.kind = Kind::kEmpty;
    } else if (name == "-executable") {
      node.kind = Kind::kExecutable;
    } else {
      return std::nullopt;
    }
    return node;
  }

  void owner(const std::string& name, FindNode& node) {
    const bool user = name == "-user";
    node.kind = user ? Kind::kUser : Kind::kGroup;
    const std::string& text = argument(name);
    const std::optional<unsigned> id = user ? users_.uid_of(text) : users_.gid_of(text);
    if (!id) throw FindError{"unknown " + name.substr(1) + " " + text};
    node.number.value = *id;
  }

  std::optional<FindNode> action(const std::string& name) {
    FindNode node;
    if (name == "-prune" || name == "-quit") {
      node.kind = name == "-prune" ? Kind::kPrune : Kind::kQuit;
      return node;
    }
    if (name == "-print") {
      node.kind = Kind::kPrint;
    } else if (name == "-print0") {
      node.kind = Kind::kPrint0;
    } else if (name == "-exec") {
      node.kind = Kind::kExec;
      command(node);
    } else {
      return std::nullopt;
    }
    plan_.acts = true;
    return node;
  }

  void command(FindNode& node) {
    for (;;) {
      if (!more()) throw FindError{"-exec requires an argument"};
      const std::string& word = words_[at_++];
      if (word == ";") break;
      if (word == "+") {
        node.many = true;
        break;
      }
      node.command.push_back(word);
    }
    if (node.command.empty()) throw FindError{"-exec requires an argument"};
    if (!node.many) return;
    std::size_t places = 0;
    for (const std::string& word : node.command) {
      if (word.find("{}") != word.npos) ++places;
    }
    if (places != 1) throw FindError{"only one '{}' allowed for -exec +"};
    node.batch = plan_.batches++;
  }

  std::span<const std::string> words_;
  const Users& users_;
  std::size_t at_ = 0;
  int depth_ = 0;
  FindPlan plan_;
};

}  // namespace

FindPlan read_find_expression(std::span<const std::string> words, const Users& users) {
  return FindReader(words, users).read();
}

}  // namespace sandproof::machine::programs

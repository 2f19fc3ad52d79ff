// SPDX-License-Identifier: Apache-2.0
// Stacks and their files (sandproof/stack.h). Values; any thread.
#include "sandproof/stack.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "json_text.h"
#include "nearest_names.h"
#include "read_file.h"
#include "sandproof/errors.h"
#include "settings_json.h"

namespace sandproof {
namespace {

using nlohmann::json;

// Of Kubernetes labels, the strictest of the backends.
constexpr std::size_t kLongestName = 63;

bool is_name(std::string_view name) {
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kLongestName && is_alphanumeric(name.front()) &&
         is_alphanumeric(name.back()) && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_alphanumeric(c) || c == '.' || c == '_' || c == '-';
         });
}

// Reads one stack. Every refusal begins with the source and the place in it.
class StackReader {
 public:
  StackReader(std::string source, const FlavorTable& flavors)
      : source_(std::move(source)), flavors_(flavors) {}

  Stack read(const json& top) {
    check_object(top, "", {"sandboxes"});
    const auto sandboxes = top.find("sandboxes");
    if (sandboxes == top.end()) refuse("", "the key `sandboxes` is missing: it is a list");
    if (!sandboxes->is_array()) {
      refuse("`sandboxes`", "it is " + json_kind(*sandboxes) + "; it must be a list of objects");
    }
    for (const json& sandbox : *sandboxes) entries_.push_back(entry(sandbox));
    return Stack(source_, std::move(entries_));
  }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& why) const {
    throw InvalidArgumentError("cannot use " + source_ + ": " +
                               (place.empty() ? why : place + ": " + why));
  }

  void check_object(const json& value, const std::string& place,
                    const std::vector<std::string>& keys) const {
    if (!value.is_object()) {
      refuse(place, "it is " + json_kind(value) + "; it must be an object with the keys " +
                        joined(keys, "and"));
    }
    for (const auto& [key, member] : value.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        refuse(place, "there is no key `" + shown(key) + "`: " + suggestion(key, keys, "keys"));
      }
    }
  }

  std::string text(const json& sandbox, const std::string& key, const std::string& place) const {
    const auto found = sandbox.find(key);
    if (found == sandbox.end()) refuse(place, "the key `" + key + "` is missing");
    if (!found->is_string()) {
      refuse(place, "`" + key + "` is " + json_kind(*found) + "; it must be a string");
    }
    return found->get<std::string>();
  }

  std::string name(const json& sandbox, const std::string& key, const std::string& place) const {
    std::string name = text(sandbox, key, place);
    if (!is_name(name)) {
      refuse(place, "`" + key + "` is `" + shown(name) + "`; it must be 1 to " +
                        std::to_string(kLongestName) +
                        " letters, digits, dots, underscores and dashes, with a letter or digit "
                        "first and last");
    }
    return name;
  }

  StackEntry entry(const json& sandbox) const {
    std::string place = "`sandboxes[" + std::to_string(entries_.size()) + "]`";
    check_object(sandbox, place, {"name", "flavor", "id", "config"});
    StackEntry entry;
    entry.name = name(sandbox, "name", place);
    place += " (" + entry.name + ")";
    entry.flavor = text(sandbox, "flavor", place);
    const Flavor& flavor = known_flavor(entry.flavor, place);
    entry.id = sandbox.contains("id") ? name(sandbox, "id", place) : default_id(entry, place);
    for (const StackEntry& other : entries_) {
      if (other.name == entry.name) {
        refuse(place, "the name is there twice; names must differ");
      }
      if (other.id == entry.id) {
        refuse(place, "`" + other.name + "` has the id `" + entry.id +
                          "` too; the id is what makes a component, so ids must differ");
      }
    }
    if (const auto config = sandbox.find("config"); config != sandbox.end()) {
      try {
        entry.config = settings_from_value(flavor.settings, *config);
      } catch (const InvalidArgumentError& error) {
        refuse(place, std::string("`config`: ") + error.what());
      }
    }
    return entry;
  }

  std::string default_id(const StackEntry& entry, const std::string& place) const {
    std::string id = entry.flavor + "-" + entry.name;
    if (id.size() > kLongestName) {
      refuse(place, "the id made of flavor and name is longer than " +
                        std::to_string(kLongestName) + " characters; give an `id`");
    }
    return id;
  }

  const Flavor& known_flavor(const std::string& name, const std::string& place) const {
    try {
      return flavors_.at(name);
    } catch (const InvalidArgumentError& error) {
      refuse(place, error.what());
    }
  }

  std::string source_;
  const FlavorTable& flavors_;
  std::vector<StackEntry> entries_;
};

}  // namespace

Stack::Stack(std::string source, std::vector<StackEntry> entries)
    : source_(std::move(source)), entries_(std::move(entries)) {
  if (entries_.empty()) {
    throw InvalidArgumentError("cannot use " + source_ +
                               ": it names no sandbox; `sandboxes` must have at least one");
  }
}

const StackEntry& Stack::at(std::string_view name) const {
  std::vector<std::string> names;
  for (const StackEntry& entry : entries_) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw InvalidArgumentError("there is no sandbox `" + shown(name) + "` in " + source_ +
                             ": the sandboxes are " + joined(names, "and"));
}

Stack parse_stack(std::string_view text, const std::string& source, const FlavorTable& flavors) {
  return StackReader(source, flavors).read(parse_json(text, "cannot use " + source));
}

Stack load_stack(const std::filesystem::path& path, const FlavorTable& flavors) {
  const std::string source = "the stack file " + path.string();
  return parse_stack(read_file(path, source, kLargestStackFileBytes), source, flavors);
}

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// Snapshots as JSON text (sandproof/snapshot.h). Pure functions; any thread.
#include "sandproof/snapshot.h"

#include <nlohmann/json.hpp>

#include "json_text.h"
#include "sandproof/errors.h"

namespace sandproof {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& why) {
  throw InvalidArgumentError("cannot read the snapshot: " + why);
}

const json& member(const json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) refuse("the key `" + key + "` is missing");
  return *found;
}

std::string text_of(const json& value, const std::string& name) {
  if (!value.is_string()) refuse("`" + name + "` must be a string, not " + json_kind(value));
  return value.get<std::string>();
}

}  // namespace

std::string to_json(const Snapshot& snapshot) {
  return json_text({{"component_id", snapshot.component_id},
                    {"ref", snapshot.ref},
                    {"metadata", snapshot.metadata}},
                   "cannot write the snapshot as JSON");
}

Snapshot snapshot_from_json(std::string_view text) {
  const json object = parse_json(text, "cannot read the snapshot");
  if (!object.is_object()) refuse("it must be an object, not " + json_kind(object));
  for (const auto& [key, value] : object.items()) {
    if (key != "component_id" && key != "ref" && key != "metadata") {
      refuse("the key `" + key + "` is unknown; the keys are component_id, ref and metadata");
    }
  }
  Snapshot snapshot{text_of(member(object, "component_id"), "component_id"),
                    text_of(member(object, "ref"), "ref"),
                    {}};
  const json& metadata = member(object, "metadata");
  if (!metadata.is_object()) {
    refuse("`metadata` must be an object of strings, not " + json_kind(metadata));
  }
  for (const auto& [name, value] : metadata.items()) {
    snapshot.metadata.emplace(name, text_of(value, "metadata." + name));
  }
  return snapshot;
}

}  // namespace sandproof

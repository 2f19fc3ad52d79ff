// SPDX-License-Identifier: Apache-2.0
// Reading stack files; see stack_file.h.
#include "conformance/program/stack_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/program/nearest.h"
#include "conformance/program/program_error.h"
#include "conformance/report/files.h"

namespace sandproof::conformance {
namespace {

using Json = nlohmann::json;

std::string text_at(const Json& sandbox, const std::string& key, const std::string& place) {
  const auto found = sandbox.find(key);
  if (found == sandbox.end()) return {};
  if (!found->is_string() || found->get_ref<const std::string&>().empty()) {
    throw usage_error(fmt::format("{}: \"{}\" has to be a string that is not empty", place, key));
  }
  return *found;
}

StackSandbox sandbox_of(const Json& json, const std::string& place) {
  if (!json.is_object()) throw usage_error(fmt::format("{} is not an object", place));
  const std::vector<std::string> known = {"name", "flavor", "component_id", "config"};
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw usage_error(
        fmt::format("{} has an unknown key '{}'{}", place, key, suggestion(key, known)));
  }
  StackSandbox sandbox;
  sandbox.name = text_at(json, "name", place);
  sandbox.flavor = text_at(json, "flavor", place);
  sandbox.component_id = text_at(json, "component_id", place);
  for (const auto& [key, value] : {std::pair("name", &sandbox.name), {"flavor", &sandbox.flavor}}) {
    if (value->empty()) throw usage_error(fmt::format("{} has no \"{}\"", place, key));
  }
  if (sandbox.component_id.empty()) sandbox.component_id = sandbox.name;
  const Json config = json.value("config", Json::object());
  if (!config.is_object()) {
    throw usage_error(fmt::format("{}: \"config\" has to be an object", place));
  }
  sandbox.config_json = config.dump();
  return sandbox;
}

std::vector<std::string> names_of(const std::vector<StackSandbox>& sandboxes,
                                  std::string StackSandbox::*member) {
  std::vector<std::string> names;
  for (const StackSandbox& sandbox : sandboxes) names.push_back(sandbox.*member);
  return names;
}

}  // namespace

Stack Stack::read(const std::filesystem::path& path) {
  std::string text;
  try {
    text = read_whole_file(path, "the stack file");
  } catch (const std::runtime_error& error) {
    throw usage_error(error.what());
  }
  return parse(text, path.string());
}

Stack Stack::parse(std::string_view text, const std::string& name) {
  const std::string file = fmt::format("the stack file {}", name);
  Json document;
  try {
    document = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw usage_error(fmt::format("{} is not JSON: byte {} is not as expected", file, error.byte));
  }
  if (!document.is_object() || !document.contains("sandboxes") ||
      !document["sandboxes"].is_array() || document["sandboxes"].empty()) {
    throw usage_error(
        fmt::format("{} has to be an object with a list \"sandboxes\" of at least one", file));
  }
  for (const auto& [key, value] : document.items()) {
    if (key != "sandboxes") throw usage_error(fmt::format("{} has an unknown key '{}'", file, key));
  }
  Stack stack;
  stack.file_ = file;
  for (const Json& json : document["sandboxes"]) {
    const std::string place = fmt::format("{}: sandbox {}", file, stack.sandboxes_.size() + 1);
    StackSandbox sandbox = sandbox_of(json, place);
    for (const StackSandbox& other : stack.sandboxes_) {
      if (other.name == sandbox.name) {
        throw usage_error(fmt::format("{} names '{}' twice", file, sandbox.name));
      }
    }
    stack.sandboxes_.push_back(std::move(sandbox));
  }
  return stack;
}

const StackSandbox& Stack::at(std::string_view name) const {
  if (name.empty()) return sandboxes_.front();
  for (const StackSandbox& sandbox : sandboxes_) {
    if (sandbox.name == name) return sandbox;
  }
  throw usage_error(fmt::format("{} has no sandbox '{}'; it has {}", file_, name,
                                fmt::join(names_of(sandboxes_, &StackSandbox::name), ", ")));
}

const StackSandbox& Stack::of_flavor(std::string_view flavor) const {
  for (const StackSandbox& sandbox : sandboxes_) {
    if (sandbox.flavor == flavor) return sandbox;
  }
  throw usage_error(fmt::format("{} has no sandbox of the flavor '{}'; it has {}", file_, flavor,
                                fmt::join(names_of(sandboxes_, &StackSandbox::flavor), ", ")));
}

}  // namespace sandproof::conformance

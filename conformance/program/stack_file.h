// SPDX-License-Identifier: Apache-2.0
// A stack file: JSON that names sandboxes, each with a flavor, a stable component id and its
// config.
//
//   {"sandboxes": [{"name": "builds", "flavor": "local", "component_id": "builds-1",
//                   "config": {"operation_timeout": 10}}]}
//
// The first is the default. `component_id` may be left out, and is the name then; `config` too.
// Values; any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

struct StackSandbox {
  std::string name;
  std::string flavor;
  std::string component_id;
  /// A JSON object; not yet checked against the flavor's settings.
  std::string config_json;
};

class Stack {
 public:
  /// Throws ProgramError (kUsage) that names the file, the place and what would be right.
  static Stack read(const std::filesystem::path& path);
  static Stack parse(std::string_view json, const std::string& name);

  const std::vector<StackSandbox>& sandboxes() const { return sandboxes_; }
  /// Empty: the default. Throws ProgramError that lists the known ones.
  const StackSandbox& at(std::string_view name) const;
  /// The first of a flavor. Throws ProgramError that lists the flavors of the stack.
  const StackSandbox& of_flavor(std::string_view flavor) const;

 private:
  std::string file_;
  std::vector<StackSandbox> sandboxes_;
};

}  // namespace sandproof::conformance

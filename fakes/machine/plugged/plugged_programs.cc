// SPDX-License-Identifier: Apache-2.0
// The table of plugged programs; see plugged_programs.h.
#include "fakes/machine/plugged/plugged_programs.h"

namespace sandproof::machine {

const ProcessBody* PluggedPrograms::find(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : &found->second;
}

Strings PluggedPrograms::names() const {
  Strings names;
  for (const auto& [name, body] : bodies_) names.push_back(name);
  return names;
}

}  // namespace sandproof::machine

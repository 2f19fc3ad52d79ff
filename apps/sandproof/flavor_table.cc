// SPDX-License-Identifier: Apache-2.0
// The table of flavors; see flavor_table.h.
#include "apps/sandproof/flavor_table.h"

#include "apps/sandproof/memory_binding.h"
#include "fakes/machine/programs/programs.h"
#include "fakes/machine/shell/sh.h"

namespace sandproof::apps {

namespace {

std::vector<machine::ProgramRow> all_programs() {
  const auto shells = machine::shell_programs();
  const auto programs = machine::programs::programs();
  std::vector<machine::ProgramRow> rows(shells.begin(), shells.end());
  rows.insert(rows.end(), programs.begin(), programs.end());
  return rows;
}

}  // namespace

std::vector<conformance::Binding> flavor_table() {
  static const std::vector<machine::ProgramRow> programs = all_programs();
  return {local_binding(), memory_binding(programs), detached_binding(), bare_binding()};
}

}  // namespace sandproof::apps

// SPDX-License-Identifier: Apache-2.0
// The table of flavors (sandproof/flavor.h). A value; any thread.
#include <stdexcept>
#include <utility>

#include "nearest_names.h"
#include "sandproof/errors.h"
#include "sandproof/flavor.h"

namespace sandproof {

FlavorTable::FlavorTable(std::vector<Flavor> rows) : rows_(std::move(rows)) {
  for (std::size_t index = 0; index < rows_.size(); ++index) {
    if (rows_[index].name.empty()) throw std::logic_error("a flavor in the table has no name");
    for (std::size_t other = 0; other < index; ++other) {
      if (rows_[other].name == rows_[index].name) {
        throw std::logic_error("the flavor `" + rows_[index].name + "` is in the table twice");
      }
    }
  }
}

const Flavor& FlavorTable::at(std::string_view name) const {
  std::vector<std::string> known;
  for (const Flavor& row : rows_) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  throw InvalidArgumentError("there is no flavor `" + shown(name) +
                             "`: " + suggestion(name, known, "flavors"));
}

}  // namespace sandproof

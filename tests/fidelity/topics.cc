// SPDX-License-Identifier: Apache-2.0
// All files of rows together: what no file can see alone.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/fidelity/engine.h"
#include "tests/fidelity/rows_file.h"

namespace sandproof::fidelity {
namespace {

std::string place(const Topic& topic, const Row& row) {
  return topic.path + ":" + std::to_string(row.line) + ": the row '" + row.name + "'";
}

void refuse_duplicates(const std::vector<Topic>& topics) {
  std::map<std::string, std::string> names;
  std::map<std::string, std::string> scripts;
  for (const Topic& topic : topics) {
    for (const Row& row : topic.rows) {
      if (const auto [known, added] = names.emplace(row.id(), place(topic, row)); !added) {
        throw BadRows(place(topic, row) + " has the name of " + known->second);
      }
      const auto [known, added] = scripts.emplace(row.script + '\0' + row.input, place(topic, row));
      if (!added) throw BadRows(place(topic, row) + " repeats the script of " + known->second);
    }
  }
}

// A part of `own` that says what the common part says, or "".
std::string repeated_part(const Expected& own, const Expected& common) {
  if (own.out && *own.out == common.out.value_or("")) return "stdout";
  if (own.status && *own.status == common.status.value_or("0")) return "status";
  if (own.err && own.err_rule == common.err_rule && *own.err == common.err.value_or("")) {
    return "stderr";
  }
  return "";
}

void check_row(const Topic& topic, const Row& row) {
  if (row.reason == "?") {
    throw BadRows(place(topic, row) + " has a mark without a reason: say why the two differ");
  }
  bool differs = false;
  for (const auto& [engine, own] : row.special) {
    if (const std::string part = repeated_part(own, row.common); !part.empty()) {
      throw BadRows(place(topic, row) + " has a section '" + part + " " + engine +
                    "' that says the same as the common one: take it away");
    }
    if (!own.out && !own.status) continue;
    if (engine == kMachine && !row.machine.empty()) continue;
    if (engine != row.differs) {
      throw BadRows(place(topic, row) + " has an output or status of its own for " + engine +
                    " and no mark '% differs " + engine + ": reason'");
    }
    differs = true;
  }
  if (!row.machine.empty()) {
    const auto own = row.special.find(std::string(kMachine));
    if (own == row.special.end() || (!own->second.out && !own->second.status)) {
      throw BadRows(place(topic, row) +
                    " is marked 'differs machine' and has no stdout or status " +
                    "of its own for it: the mark is stale");
    }
  }
  if (!row.differs.empty() && !differs) {
    throw BadRows(place(topic, row) + " is marked 'differs " + row.differs +
                  "' and has no stdout or status of its own for it: the mark is stale");
  }
}

}  // namespace

std::vector<Topic> load_topics(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".rows") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Topic> topics;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) throw BadRows("cannot read " + path.string());
    const auto below = std::filesystem::relative(path, folder).replace_extension();
    topics.push_back(parse_topic(text, below.string(), path.string()));
  }
  refuse_duplicates(topics);
  return topics;
}

void check_marks(const std::vector<Topic>& topics) {
  for (const Topic& topic : topics) {
    for (const Row& row : topic.rows) check_row(topic, row);
  }
}

}  // namespace sandproof::fidelity

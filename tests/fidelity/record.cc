// SPDX-License-Identifier: Apache-2.0
// Writes into rows what the real engines gave.
#include <algorithm>

#include "tests/fidelity/parallel.h"
#include "tests/fidelity/runner.h"

namespace sandproof::fidelity {
namespace {

// `text` as a pattern that matches it alone.
std::string literal(std::string_view text) {
  std::string pattern;
  for (const char byte : text) {
    if (std::string_view("^$\\.*+?()[]{}|").find(byte) != std::string_view::npos) pattern += '\\';
    pattern += byte;
  }
  return pattern;
}

// Keeps a rule that a person wrote where it still holds.
void put_stderr(Expected& into, const Expected& before, const std::string& err) {
  Expected rule = before;
  rule.out.reset();
  rule.status.reset();
  if (before.err_rule != StderrRule::kExact && mismatches(rule, {"", err, "0"}).empty()) {
    into.err = before.err;
    into.err_rule = before.err_rule;
    return;
  }
  // The usage of busybox's programs is long and names its version.
  if (const std::size_t usage = err.find("BusyBox v"); usage != std::string::npos) {
    into.err = literal(std::string_view(err).substr(0, usage)) + "BusyBox v[^]*\n";
    into.err_rule = StderrRule::kPattern;
    return;
  }
  into.err = err;
}

void put_results(Row& row, const std::string& other, const Result& reference,
                 const Result& second) {
  const Expected common = row.common;
  const Expected own = row.expected(other);
  // What the machine does instead, a person wrote.
  std::erase_if(row.special, [](const auto& one) { return one.first != kMachine; });
  row.common = Expected{.out = reference.out, .err = {}, .status = reference.status};
  put_stderr(row.common, common, reference.err);
  if (!row.only.empty()) return;
  Expected special;
  if (second.out != reference.out) special.out = second.out;
  if (second.status != reference.status) special.status = second.status;
  Expected shared = row.common;
  shared.out = second.out;
  shared.status = second.status;
  if (!mismatches(shared, second).empty()) put_stderr(special, own, second.err);
  const bool differs = special.out || special.status;
  if (differs || special.err) row.special[other] = special;
  if (!differs) {
    row.differs.clear();
    row.reason.clear();
  } else if (row.differs.empty()) {
    row.differs = other;
    row.reason = "?";
  }
}

std::string record_row(Row& row, const std::vector<Engine*>& engines) {
  std::string_view first = row.only.empty() ? row.reference() : std::string_view(row.only);
  std::vector<Engine*> order = engines;
  std::stable_partition(order.begin(), order.end(),
                        [&](const Engine* engine) { return engine->name() == first; });
  std::vector<Result> results;
  for (Engine* engine : order) {
    results.push_back(engine->run(row.script, row.input));
    if (engine != order[0] && !row.only.empty()) continue;
    const std::string where = row.id() + " on " + std::string(engine->name());
    if (results.back().status == "time limit") return where + " does not end";
    if (engine->run(row.script, row.input) != results.back())
      return where + " is not the same twice";
  }
  put_results(row, std::string(order[1]->name()), results[0], results[1]);
  return "";
}

}  // namespace

std::vector<std::string> record(std::vector<Topic>& topics, const std::vector<Engine*>& engines,
                                std::string_view filter, unsigned threads) {
  std::vector<Row*> rows;
  for (Topic& topic : topics) {
    for (Row& row : topic.rows) {
      if (row.id().find(filter) != std::string::npos) rows.push_back(&row);
    }
  }
  std::vector<std::string> faults(rows.size());
  for_each_number(rows.size(), threads,
                  [&](std::size_t at) { faults[at] = record_row(*rows[at], engines); });
  std::erase(faults, "");
  return faults;
}

}  // namespace sandproof::fidelity

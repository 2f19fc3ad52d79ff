// SPDX-License-Identifier: Apache-2.0
// The two lines of JSON between a case and another process (elsewhere.h). Pure functions.
#include <nlohmann/json.hpp>

#include "conformance/runner/elsewhere.h"
#include "conformance/runner/run.h"

namespace sandproof::conformance::runner {
namespace {

using nlohmann::json;

json json_of(const ExitStatus& status) {
  json value{{"timed_out", status.timed_out()}};
  if (status.is_exited()) value["exited"] = status.code();
  if (status.is_signaled()) value["signaled"] = status.signal();
  if (status.is_lost()) value["lost"] = status.why();
  return value;
}

ExitStatus status_from(const json& value) {
  ExitStatus status = value.contains("exited")     ? ExitStatus::exited(value.at("exited"))
                      : value.contains("signaled") ? ExitStatus::signaled(value.at("signaled"))
                                                   : ExitStatus::lost(value.at("lost"));
  return value.at("timed_out").get<bool>() ? status.with_timed_out() : status;
}

json json_of(const Output& output) {
  return {{"out", output.out},
          {"err", output.err},
          {"status", json_of(output.status)},
          {"out_truncated", output.out_truncated},
          {"err_truncated", output.err_truncated},
          {"out_held", output.out_end == StreamEnd::kHeldByDescendant},
          {"err_held", output.err_end == StreamEnd::kHeldByDescendant},
          {"timed_out", output.timed_out},
          {"out_bytes", output.out_bytes},
          {"err_bytes", output.err_bytes}};
}

StreamEnd end_from(const json& held) {
  return held.get<bool>() ? StreamEnd::kHeldByDescendant : StreamEnd::kComplete;
}

Output output_from(const json& value) {
  Output output;
  value.at("out").get_to(output.out);
  value.at("err").get_to(output.err);
  output.status = status_from(value.at("status"));
  value.at("out_truncated").get_to(output.out_truncated);
  value.at("err_truncated").get_to(output.err_truncated);
  output.out_end = end_from(value.at("out_held"));
  output.err_end = end_from(value.at("err_held"));
  value.at("timed_out").get_to(output.timed_out);
  value.at("out_bytes").get_to(output.out_bytes);
  value.at("err_bytes").get_to(output.err_bytes);
  return output;
}

std::string line_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json_line(const ElsewhereRequest& request) {
  return line_of({{"operation", request.operation},
                  {"flavor", request.flavor},
                  {"component", request.component},
                  {"settings", request.settings_json},
                  {"mutant", request.mutant},
                  {"session", request.session_id},
                  {"snapshot", request.snapshot_json},
                  {"argv", request.argv}});
}

ElsewhereRequest request_from_json(std::string_view line) {
  try {
    const json value = json::parse(line);
    ElsewhereRequest request;
    value.at("operation").get_to(request.operation);
    value.at("flavor").get_to(request.flavor);
    value.at("component").get_to(request.component);
    value.at("settings").get_to(request.settings_json);
    value.at("mutant").get_to(request.mutant);
    value.at("session").get_to(request.session_id);
    value.at("snapshot").get_to(request.snapshot_json);
    value.at("argv").get_to(request.argv);
    return request;
  } catch (const json::exception& error) {
    throw RunnerError(std::string("the request to another process is not one: ") + error.what());
  }
}

std::string to_json_line(const ElsewhereAnswer& answer) {
  return line_of({{"outcome", answer.result.outcome},
                  {"error", answer.result.error},
                  {"output", json_of(answer.result.output)},
                  {"session", answer.result.session_id},
                  {"fired", answer.fired}});
}

ElsewhereAnswer answer_from_json(std::string_view line) {
  try {
    const json value = json::parse(line);
    ElsewhereAnswer answer;
    value.at("outcome").get_to(answer.result.outcome);
    value.at("error").get_to(answer.result.error);
    answer.result.output = output_from(value.at("output"));
    value.at("session").get_to(answer.result.session_id);
    value.at("fired").get_to(answer.fired);
    return answer;
  } catch (const std::exception& error) {
    throw RunnerError(std::string("the answer of another process is not one: ") + error.what());
  }
}

}  // namespace sandproof::conformance::runner

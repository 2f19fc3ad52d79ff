// SPDX-License-Identifier: Apache-2.0
// Publishes a session's metadata (session_metadata.h). Any thread.
#include "session_metadata.h"

#include "report_quietly.h"

namespace sandproof {
namespace {

void publish(const StepContext& step, const std::string& id, const char* name,
             const std::string& value, Diagnostics& diagnostics) noexcept {
  try {
    step.metadata->publish("sandbox." + id + "." + name, value);
  } catch (...) {
    report_quietly(&diagnostics, LogLevel::kWarning, [&] {
      return "cannot publish `sandbox." + id + "." + name + "`: " + current_exception_text() +
             "; the session goes on without it";
    });
  }
}

}  // namespace

void publish_session_metadata(const StepContext& step, const std::string& id,
                              const std::string& flavor,
                              const std::optional<std::string>& dashboard_url,
                              Diagnostics& diagnostics) noexcept {
  if (!step.metadata) return;
  publish(step, id, "flavor", flavor, diagnostics);
  if (dashboard_url && !dashboard_url->empty()) {
    publish(step, id, "dashboard_url", *dashboard_url, diagnostics);
  }
}

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// A step whose log and metadata a case can look at. Any thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sandproof/conformance/context.h"
#include "sandproof/log_stores.h"
#include "sandproof/step.h"

namespace sandproof::conformance {

class RecordingStep {
 public:
  explicit RecordingStep(std::string step_id = "step-1") : step_id_(std::move(step_id)) {}

  StepContext context() const {
    return {.run_id = "run-1",
            .step_id = step_id_,
            .logs = logs_,
            .metadata = metadata_,
            .settings = std::nullopt};
  }
  MemoryLogStore& logs() const { return *logs_; }
  MemoryMetadataSink& metadata() const { return *metadata_; }

  /// The texts of every source, in their order.
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const LogRecord& record : logs_->records()) texts.push_back(record.text);
    return texts;
  }
  /// "info: text" …
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const LogRecord& record : logs_->records()) {
      lines.push_back(std::string(to_string(record.level)) + ": " + record.text);
    }
    return lines;
  }

 private:
  std::string step_id_;
  std::shared_ptr<MemoryLogStore> logs_ = std::make_shared<MemoryLogStore>();
  std::shared_ptr<MemoryMetadataSink> metadata_ = std::make_shared<MemoryMetadataSink>();
};

/// A sandbox of the case's flavor inside `step`, which must outlive its sessions.
inline std::unique_ptr<Sandbox> in_step(CaseContext& ctx, const RecordingStep& step) {
  SandboxSpec spec;
  spec.step = step.context();
  return ctx.make_sandbox(spec);
}

}  // namespace sandproof::conformance

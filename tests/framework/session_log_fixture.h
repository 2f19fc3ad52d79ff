// SPDX-License-Identifier: Apache-2.0
// A session log over a store whose calls can be made to throw, to wait at a gate and to call back.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandproof/log_stores.h"
#include "session_log.h"

namespace sandproof {

inline constexpr const char* kSource = "sandbox:local-1";

/// Forwards to a memory store; each function that is set is called first.
class ScriptedStore : public LogStore {
 public:
  std::unique_ptr<LogSource> open_source(const std::string& name) override {
    if (on_open) on_open();
    if (no_source) return nullptr;
    return std::make_unique<Source>(*this, memory.open_source(name));
  }

  MemoryLogStore memory;
  std::function<void()> on_open;
  std::function<void(std::string_view)> on_log;
  std::function<void()> on_end;
  bool no_source = false;

 private:
  class Source : public LogSource {
   public:
    Source(ScriptedStore& store, std::unique_ptr<LogSource> inner)
        : store_(store), inner_(std::move(inner)) {}
    void log(LogLevel level, std::string_view text) override {
      if (store_.on_log) store_.on_log(text);
      inner_->log(level, text);
    }
    void end() override {
      if (store_.on_end) store_.on_end();
      inner_->end();
    }

   private:
    ScriptedStore& store_;
    std::unique_ptr<LogSource> inner_;
  };
};

/// `log_` is bound to a step with that store, and replaces three secrets.
class SessionLogTest : public testing::Test {
 protected:
  StepContext step() const {
    StepContext context;
    context.logs = store_;
    return context;
  }

  std::shared_ptr<ScriptedStore> store_ = std::make_shared<ScriptedStore>();
  std::shared_ptr<MemoryDiagnostics> diagnostics_ = std::make_shared<MemoryDiagnostics>();
  SessionLog log_{step(), "local-1", Redactor({"hunter2", "it's", "two words"}), diagnostics_};

  std::vector<LogRecord> records() const { return store_->memory.records(); }
  std::vector<std::string> texts() const { return store_->memory.texts(kSource); }
  std::vector<std::string> reports() const {
    std::vector<std::string> texts;
    for (LogRecord& record : diagnostics_->records()) texts.push_back(std::move(record.text));
    return texts;
  }
};

}  // namespace sandproof

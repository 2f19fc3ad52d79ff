// SPDX-License-Identifier: Apache-2.0
// The sinks of sandproof/log_stores.h that keep what they get in memory. Thread-safe: one mutex
// each.

#include "sandproof/log_stores.h"

namespace sandproof {

struct MemoryLogStore::State {
  mutable std::mutex mutex;
  std::vector<LogRecord> records;
  std::vector<LogRecord> late;
  std::vector<std::string> opened;
  std::vector<std::string> ended;
};

class MemoryLogStore::Source : public LogSource {
 public:
  Source(std::shared_ptr<State> state, std::string name)
      : state_(std::move(state)), name_(std::move(name)) {}

  void log(LogLevel level, std::string_view text) override {
    const std::lock_guard lock(state_->mutex);
    (ended_ ? state_->late : state_->records).push_back({name_, level, std::string(text)});
  }

  void end() override {
    const std::lock_guard lock(state_->mutex);
    ended_ = true;
    state_->ended.push_back(name_);
  }

 private:
  std::shared_ptr<State> state_;
  std::string name_;
  bool ended_ = false;  // Under the state's mutex.
};

MemoryLogStore::MemoryLogStore() : state_(std::make_shared<State>()) {}

std::unique_ptr<LogSource> MemoryLogStore::open_source(const std::string& name) {
  const std::lock_guard lock(state_->mutex);
  state_->opened.push_back(name);
  return std::make_unique<Source>(state_, name);
}

std::vector<LogRecord> MemoryLogStore::records() const {
  const std::lock_guard lock(state_->mutex);
  return state_->records;
}

std::vector<std::string> MemoryLogStore::texts(const std::string& source) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> texts;
  for (const LogRecord& record : state_->records) {
    if (record.source == source) texts.push_back(record.text);
  }
  return texts;
}

std::vector<std::string> MemoryLogStore::opened() const {
  const std::lock_guard lock(state_->mutex);
  return state_->opened;
}

std::vector<std::string> MemoryLogStore::ended() const {
  const std::lock_guard lock(state_->mutex);
  return state_->ended;
}

std::vector<LogRecord> MemoryLogStore::late() const {
  const std::lock_guard lock(state_->mutex);
  return state_->late;
}

void MemoryMetadataSink::publish(const std::string& key, const std::string& value) {
  const std::lock_guard lock(mutex_);
  entries_.emplace_back(key, value);
}

std::vector<std::pair<std::string, std::string>> MemoryMetadataSink::entries() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

void MemoryDiagnostics::report(LogLevel level, std::string_view text) {
  const std::lock_guard lock(mutex_);
  records_.push_back({{}, level, std::string(text)});
}

std::vector<LogRecord> MemoryDiagnostics::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

}  // namespace sandproof

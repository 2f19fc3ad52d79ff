// SPDX-License-Identifier: Apache-2.0
// The sinks of sandproof/log_stores.h that keep what they get in memory. Thread-safe: one mutex
// each.

#include <cstddef>

#include "sandproof/log_stores.h"

namespace sandproof {

// Texts stand in one string, one after the other, so that a record costs a copy of its bytes and no
// allocation: a benchmark of logging must not measure its sink.
struct MemoryLogStore::State {
  struct Entry {
    std::size_t source;  // Of `opened`.
    std::size_t offset;
    std::size_t size;
    LogLevel level;
    bool late;
  };

  LogRecord record(const Entry& entry) const {
    return {opened[entry.source], entry.level, texts.substr(entry.offset, entry.size)};
  }
  std::vector<LogRecord> records(bool late) const {
    const std::lock_guard lock(mutex);
    std::vector<LogRecord> records;
    for (const Entry& entry : entries) {
      if (entry.late == late) records.push_back(record(entry));
    }
    return records;
  }

  mutable std::mutex mutex;
  std::vector<Entry> entries;
  std::string texts;
  std::vector<std::string> opened;
  std::vector<std::string> ended;
};

class MemoryLogStore::Source : public LogSource {
 public:
  Source(std::shared_ptr<State> state, std::size_t index)
      : state_(std::move(state)), index_(index) {}

  void log(LogLevel level, std::string_view text) override {
    const std::lock_guard lock(state_->mutex);
    state_->entries.push_back({index_, state_->texts.size(), text.size(), level, ended_});
    state_->texts += text;
  }

  void end() override {
    const std::lock_guard lock(state_->mutex);
    ended_ = true;
    state_->ended.push_back(state_->opened[index_]);
  }

 private:
  std::shared_ptr<State> state_;
  std::size_t index_;
  bool ended_ = false;  // Under the state's mutex.
};

MemoryLogStore::MemoryLogStore() : state_(std::make_shared<State>()) {}

std::unique_ptr<LogSource> MemoryLogStore::open_source(const std::string& name) {
  const std::lock_guard lock(state_->mutex);
  state_->opened.push_back(name);
  return std::make_unique<Source>(state_, state_->opened.size() - 1);
}

std::vector<LogRecord> MemoryLogStore::records() const { return state_->records(false); }

std::vector<LogRecord> MemoryLogStore::late() const { return state_->records(true); }

std::vector<std::string> MemoryLogStore::texts(const std::string& source) const {
  std::vector<std::string> texts;
  for (LogRecord& record : records()) {
    if (record.source == source) texts.push_back(std::move(record.text));
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

// SPDX-License-Identifier: Apache-2.0
// The in-memory secret store (sandproof/secret_store.h). Thread-safe: one mutex.
#include "sandproof/secret_store.h"

#include <utility>

namespace sandproof {

void MemorySecretStore::put(const std::string& name, const std::string& key, std::string value) {
  const std::lock_guard lock(mutex_);
  secrets_[name].insert_or_assign(key, std::move(value));
}

std::optional<std::string> MemorySecretStore::get(std::string_view name,
                                                  std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto secret = secrets_.find(name);
  if (secret == secrets_.end()) return std::nullopt;
  const auto value = secret->second.find(key);
  if (value == secret->second.end()) return std::nullopt;
  return value->second;
}

}  // namespace sandproof

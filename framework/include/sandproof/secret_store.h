// SPDX-License-Identifier: Apache-2.0
// Where secret references `{{name.key}}` in settings are resolved (SET-005).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sandproof {

/// Implementations are thread-safe.
class SecretStore {
 public:
  virtual ~SecretStore() = default;
  /// Empty when there is no such secret or key. May throw; that fails the create.
  virtual std::optional<std::string> get(std::string_view name, std::string_view key) const = 0;
};

/// The in-memory twin; for tests and for programs that read their secrets themselves.
class MemorySecretStore : public SecretStore {
 public:
  void put(const std::string& name, const std::string& key, std::string value);
  std::optional<std::string> get(std::string_view name, std::string_view key) const override;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> secrets_;
};

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// A stack: sandboxes by name, each with a flavor, a stable component id and its config, as a JSON
// file describes them:
//
//   {"sandboxes": [{"name": "dev", "flavor": "local", "id": "dev-1", "config": {"drain_grace": 2}},
//                  {"name": "ci", "flavor": "docker"}]}
//
// `id` may be left out and is then "<flavor>-<name>"; `config` may be left out. The first sandbox
// is the default. Values; any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/flavor.h"
#include "sandproof/settings.h"

namespace sandproof {

/// A stack file is written by hand; one that is larger is another file.
inline constexpr std::size_t kLargestStackFileBytes = std::size_t{1} << 20;

struct StackEntry {
  /// 1 to 63 characters of [A-Za-z0-9._-], the first and the last a letter or digit, as is `id`:
  /// both end up in labels of backends.
  std::string name;
  std::string flavor;
  /// The component's id: the same id in another process is the same component.
  std::string id;
  /// Checked against the flavor's description; secret references as they were written.
  Settings config;
};

class Stack {
 public:
  /// `source` begins messages: "the stack file x.json". Throws InvalidArgumentError for no entries.
  Stack(std::string source, std::vector<StackEntry> entries);

  const std::vector<StackEntry>& entries() const { return entries_; }
  const StackEntry& default_entry() const { return entries_.front(); }
  /// The entry of that name. Throws InvalidArgumentError that lists the names there are.
  const StackEntry& at(std::string_view name) const;

 private:
  std::string source_;
  std::vector<StackEntry> entries_;
};

/// Throws InvalidArgumentError, one sentence with the file, the place where it is known and what
/// would be right: a file that cannot be read or is too large, text that is no JSON, a key that is
/// missing, unknown or there twice, a name or id that is there twice or malformed, an unknown
/// flavor, a wrong setting.
Stack load_stack(const std::filesystem::path& path, const FlavorTable& flavors);
/// The same from text.
Stack parse_stack(std::string_view text, const std::string& source, const FlavorTable& flavors);

/// make_sandbox() with the entry's flavor, id and config; `options` supplies the rest, and its own
/// id and settings are not used.
std::unique_ptr<Sandbox> make_sandbox(const StackEntry& entry, const FlavorTable& flavors,
                                      SandboxOptions options = {});

}  // namespace sandproof

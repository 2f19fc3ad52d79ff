// SPDX-License-Identifier: Apache-2.0
// Snapshots as text: any text is a snapshot or an InvalidArgumentError; a snapshot survives being
// written, and one whose parts are no text is refused rather than changed.
#include "sandproof/snapshot.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <optional>
#include <string>

#include "sandproof/errors.h"
#include "tests/fuzz/require.h"
#include "utf8.h"

namespace sandproof::fuzz {
namespace {

template <typename Call>
auto taken(Call call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const InvalidArgumentError& error) {
    require(is_valid_utf8(error.what()), "a refusal is text");
    return std::nullopt;
  }
}

void check_text(const std::string& text) {
  const auto snapshot = taken([&] { return snapshot_from_json(text); });
  if (!snapshot) return;
  const std::string written = to_json(*snapshot);
  require(snapshot_from_json(written) == *snapshot, "what was read survives being written");
  require(to_json(snapshot_from_json(written)) == written, "one snapshot has one text");
}

void check_value(FuzzedDataProvider& provider) {
  constexpr std::size_t kMostBytes = 64;
  const auto text = [&] { return provider.ConsumeRandomLengthString(kMostBytes); };
  Snapshot snapshot{text(), text(), {}};
  bool valid = is_valid_utf8(snapshot.component_id) && is_valid_utf8(snapshot.ref);
  while (provider.remaining_bytes() > 0) {
    const auto [entry, is_new] = snapshot.metadata.emplace(text(), text());
    valid = valid && is_valid_utf8(entry->first) && is_valid_utf8(entry->second);
  }
  const auto written = taken([&] { return to_json(snapshot); });
  require(written.has_value() == valid, "what is text is written, and nothing else");
  if (written) require(snapshot_from_json(*written) == snapshot, "what is written reads back");
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sandproof::fuzz::check_text(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider provider(data, size);
  sandproof::fuzz::check_value(provider);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Settings: any text, as JSON of all fields or as the value of one, is taken or refused as an
// invalid argument; what was taken passes the check unchanged and survives being written.
#include "sandproof/settings.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sandproof/errors.h"
#include "tests/fuzz/flavors.h"
#include "tests/fuzz/require.h"
#include "utf8.h"

namespace sandproof::fuzz {
namespace {

/// What `read` returns; nothing where it refuses.
template <typename Read>
auto taken(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InvalidArgumentError& error) {
    require(is_valid_utf8(error.what()), "a refusal is text");
    return std::nullopt;
  }
}

bool is_text(const Settings& settings) {
  for (const auto& [name, value] : settings.fields()) {
    const auto* const text = std::get_if<std::string>(&value);
    if (text != nullptr && !is_valid_utf8(*text)) return false;
  }
  return true;
}

void check(const SettingsDescription& description, const Settings& settings) {
  require(description.checked(settings) == settings, "what was taken passes the check as it is");
  require(description.completed(settings).fields().size() == description.fields().size(),
          "completed settings have every field");
  const auto written = taken([&] { return description.to_json(settings); });
  require(written.has_value() == is_text(settings), "what is text is written, and nothing else");
  if (written) require(description.from_json(*written) == settings, "what is written reads back");
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof;
  using namespace sandproof::fuzz;
  const SettingsDescription& description = every_type();
  // The last byte of an input says which field its text is to be a value of.
  FuzzedDataProvider provider(data, size);
  const auto& field = description.fields()[provider.ConsumeIntegralInRange<std::size_t>(
      0, description.fields().size() - 1)];
  const std::string text = provider.ConsumeRemainingBytesAsString();
  for (const auto& settings : {taken([&] { return description.from_json(text); }),
                               taken([&] { return description.from_text(field.name, text); })}) {
    if (settings) check(description, *settings);
  }
  require(!taken([&] { return description.from_text("no such name", text); }),
          "a name that nobody knows is refused");
  return 0;
}

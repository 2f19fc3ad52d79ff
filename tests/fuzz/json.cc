// SPDX-License-Identifier: Apache-2.0
// JSON text: any bytes are a value or an InvalidArgumentError, and a value that was read is written
// as text that reads back to an equal one.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "json_text.h"
#include "sandproof/errors.h"
#include "tests/fuzz/require.h"
#include "utf8.h"

namespace sandproof::fuzz {
namespace {

constexpr const char* kWhat = "cannot read the input";

std::optional<nlohmann::json> parse(std::string_view text) {
  try {
    return parse_json(text, kWhat);
  } catch (const InvalidArgumentError& error) {
    const std::string_view message = error.what();
    require(message.starts_with(std::string(kWhat) + ": "), "a refusal says what was read");
    require(is_valid_utf8(message), "a refusal is text");
    return std::nullopt;
  }
}

int depth_of(const nlohmann::json& value) {
  int deepest = 0;
  for (const nlohmann::json& inner : value) {
    if (inner.is_structured()) deepest = std::max(deepest, depth_of(inner));
  }
  return deepest + 1;
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof;
  using namespace sandproof::fuzz;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::optional<nlohmann::json> value = parse(text);
  // The library's own parser is laxer in two points: keys that are there twice, and depth.
  require(!value || nlohmann::json::accept(text), "what is no JSON is refused");
  if (!value) return 0;
  if (value->is_structured()) require(depth_of(*value) <= kMaxJsonDepth, "the depth is bounded");
  require(!json_kind(*value).empty(), "every value has a kind");
  require(parse(json_text(*value, kWhat)) == value, "a value that is written reads back");
  return 0;
}

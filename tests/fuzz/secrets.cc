// SPDX-License-Identifier: Apache-2.0
// Secrets: of any text every occurrence of a value is replaced, as a slow search finds them; any
// setting with references is resolved or refused, and no refusal has a value in it.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "redaction.h"
#include "sandproof/errors.h"
#include "sandproof/secret_store.h"
#include "sandproof/settings.h"
#include "secret_resolution.h"
#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

/// One line each: of several lines each would be a value of its own.
std::vector<std::string> take_values(FuzzedDataProvider& provider) {
  constexpr std::size_t kMostBytes = 12;
  std::vector<std::string> values(provider.ConsumeIntegralInRange<std::size_t>(1, 3));
  for (std::string& value : values) {
    value = provider.ConsumeRandomLengthString(kMostBytes);
    std::erase(value, '\n');
  }
  return values;
}

/// Values, parts of them, and what stands between.
std::string take_text(FuzzedDataProvider& provider, const std::vector<std::string>& values) {
  constexpr std::size_t kMostBytes = 8;
  constexpr int kMostParts = 32;
  std::string text;
  for (int part = 0; part < kMostParts && provider.remaining_bytes() > 0; ++part) {
    const auto choice = provider.ConsumeIntegralInRange<std::size_t>(0, values.size());
    if (choice == values.size()) {
      text += provider.ConsumeRandomLengthString(kMostBytes);
    } else {
      const std::string& value = values[choice];
      text += value.substr(0, provider.ConsumeIntegralInRange<std::size_t>(0, value.size()));
    }
  }
  return text;
}

/// Byte by byte: which are in a value, and which of those go on with the one before.
std::string slowly_redacted(const std::string& text, const std::vector<std::string>& values) {
  std::vector<bool> covered(text.size());
  std::vector<bool> goes_on(text.size());
  for (const std::string& value : values) {
    if (value.size() < kLeastRedactedBytes) continue;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text.compare(at, value.size(), value) != 0) continue;
      for (std::size_t inside = 0; inside < value.size(); ++inside) {
        covered[at + inside] = true;
        goes_on[at + inside] = goes_on[at + inside] || inside > 0;
      }
    }
  }
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!covered[at]) {
      result += text[at];
    } else if (!goes_on[at]) {
      result += "***";
    }
  }
  return result;
}

void check_redaction(const std::string& text, const std::vector<std::string>& values) {
  const Redactor redactor(values);
  const std::string expected = slowly_redacted(text, values);
  require(redactor.redacted(text) == expected, "every occurrence of a value is replaced");
  std::string buffer = text;
  require(redactor.redact(buffer, buffer) == expected, "the text may be the buffer");
}

std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool pair = text.compare(at, 2, "{{") == 0;
    result += pair ? "{{{{" : text.substr(at, 1);
    if (pair) ++at;
  }
  return result;
}

void check_references(const std::string& text, const std::vector<std::string>& values) {
  MemorySecretStore store;
  for (std::size_t index = 0; index < values.size(); ++index) {
    store.put("s", std::to_string(index), values[index]);
  }
  std::vector<std::string> resolved;
  const auto resolve = [&](std::string setting) {
    const Settings settings =
        resolve_secrets(Settings().set("text", std::move(setting)), &store, resolved);
    return std::get<std::string>(*settings.find("text"));
  };
  require(resolve(escaped(text)) == text, "what is escaped comes back");
  require(resolved.empty(), "what is escaped is no reference");
  try {
    const std::string with_value = resolve("<{{ s.0 }}>" + escaped(text));
    require(with_value == "<" + values[0] + ">" + text, "a reference is replaced by its value");
    require(resolved == std::vector{values[0]}, "a value that took part is told");
    resolve(text);
  } catch (const InvalidArgumentError& error) {
    const bool nul = values[0].find('\0') != std::string::npos;
    require(std::string_view(error.what()).starts_with("setting `text` "),
            "a refusal names the field");
    require(nul || !resolved.empty(), "what is sound is not refused");
  }
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof::fuzz;
  FuzzedDataProvider provider(data, size);
  const std::vector<std::string> values = take_values(provider);
  const std::string text = take_text(provider, values);
  check_redaction(text, values);
  check_references(text, values);
  return 0;
}

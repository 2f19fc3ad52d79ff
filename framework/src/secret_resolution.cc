// SPDX-License-Identifier: Apache-2.0
// Resolves secret references (secret_resolution.h). Any thread.
#include "secret_resolution.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "nearest_names.h"
#include "sandproof/errors.h"

namespace sandproof {
namespace {

constexpr std::string_view kOpenBraces = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kEscapedOpen = "{{{{";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

class Resolver {
 public:
  Resolver(const SecretStore* store, std::vector<std::string>& resolved_values)
      : store_(store), resolved_values_(resolved_values) {}

  std::string resolve(std::string_view text, const std::string& field) {
    std::string result;
    for (std::size_t at = 0;;) {
      const std::size_t open = text.find(kOpenBraces, at);
      result += text.substr(at, open - at);  // To the end where there is none.
      if (open == std::string_view::npos) return result;
      if (text.substr(open).starts_with(kEscapedOpen)) {
        result += kOpenBraces;
        at = open + kEscapedOpen.size();
        continue;
      }
      const std::size_t inside = open + kOpenBraces.size();
      const std::size_t close = text.find(kClose, inside);
      if (close == std::string_view::npos) {
        refuse(field,
               "opens a secret reference at byte " + std::to_string(open) + " that is never closed",
               "close it with }}, or write {{{{ for two plain braces");
      }
      result += value_of(text.substr(inside, close - inside), field);
      at = close + kClose.size();
    }
  }

 private:
  [[noreturn]] static void refuse(const std::string& field, const std::string& why,
                                  const std::string& remedy) {
    throw InvalidArgumentError("setting `" + field + "` " + why + ": " + remedy);
  }

  std::string value_of(std::string_view inside, const std::string& field) {
    const std::string_view reference = trimmed(inside);
    const std::string quoted = "`{{" + shown(inside) + "}}`";
    const std::size_t dot = reference.find('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == reference.size() ||
        reference.find_first_of("{} \t\r\n") != std::string_view::npos) {
      refuse(field, "has the malformed secret reference " + quoted,
             "write {{name.key}}, or {{{{ for two plain braces");
    }
    if (store_ == nullptr) {
      refuse(field, "has the secret reference " + quoted + ", and there is no secret store",
             "give the sandbox one, or write {{{{ for two plain braces");
    }
    std::optional<std::string> value =
        store_->get(reference.substr(0, dot), reference.substr(dot + 1));
    if (!value) {
      refuse(field, "has the secret reference " + quoted + ", and there is no such secret",
             "add it to the secret store, or correct the name or the key");
    }
    if (value->find('\0') != std::string::npos) {
      refuse(field, "has the secret reference " + quoted + ", and that secret has a NUL in it",
             "no argument or variable of a program can carry one");
    }
    if (std::find(resolved_values_.begin(), resolved_values_.end(), *value) ==
        resolved_values_.end()) {
      resolved_values_.push_back(*value);
    }
    return std::move(*value);
  }

  const SecretStore* store_;
  std::vector<std::string>& resolved_values_;
};

}  // namespace

Settings resolve_secrets(const Settings& settings, const SecretStore* store,
                         std::vector<std::string>& resolved_values) {
  Resolver resolver(store, resolved_values);
  Settings resolved;
  for (const auto& [name, original] : settings.fields()) {
    SettingValue value = original;
    if (auto* text = std::get_if<std::string>(&value)) {
      *text = resolver.resolve(*text, name);
    } else if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
      for (std::size_t index = 0; index < list->size(); ++index) {
        std::string& element = (*list)[index];
        element = resolver.resolve(element, name + "[" + std::to_string(index) + "]");
      }
    } else if (auto* map = std::get_if<std::map<std::string, std::string>>(&value)) {
      for (auto& [key, element] : *map) element = resolver.resolve(element, name + "." + key);
    }
    resolved.set(name, std::move(value));
  }
  return resolved;
}

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// The environment of a command. See environment.h.
#include "flavors/local/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <variant>

#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {

std::vector<std::string> default_forwarded_names() {
  return {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TERM"};
}

Environment forwarded_environment(const SettingValue& forward) {
  Environment result;
  if (const bool* const all = std::get_if<bool>(&forward)) {
    for (char** entry = environ; *all && entry != nullptr && *entry != nullptr; ++entry) {
      const std::string_view text(*entry);
      const std::size_t equals = text.find('=');
      if (equals == 0 || equals == std::string_view::npos) continue;
      result.insert_or_assign(std::string(text.substr(0, equals)),
                              std::string(text.substr(equals + 1)));
    }
    return result;
  }
  for (const std::string& name : std::get<std::vector<std::string>>(forward)) {
    if (!is_environment_name(name)) {
      throw InvalidArgumentError("forward_env has " + quote_word(name) +
                                 ", which is not the name of an environment variable");
    }
    const char* const value = std::getenv(name.c_str());
    if (value != nullptr) result.insert_or_assign(name, value);
  }
  return result;
}

Environment layered_environment(const Environment& forwarded, const Environment& given) {
  Environment result = given;
  result.insert(forwarded.begin(), forwarded.end());
  return result;
}

Environment marked_environment(Environment env, const Mark& mark) {
  env.insert_or_assign(std::string(kMarkName), mark.value());
  return env;
}

}  // namespace sandproof::local

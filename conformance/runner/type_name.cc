// SPDX-License-Identifier: Apache-2.0
// Names of exception types (type_name.h).
#include "conformance/runner/type_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <typeinfo>

namespace sandproof::conformance::runner {

std::string type_name(const std::exception& error) {
  const char* const mangled = typeid(error).name();
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  std::string name = status == 0 ? readable.get() : mangled;
  // What stands between angle brackets may have namespaces of its own.
  const std::size_t colons = name.rfind("::", name.find('<'));
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

}  // namespace sandproof::conformance::runner

// SPDX-License-Identifier: Apache-2.0
// The names of log levels (sandproof/step.h). Any thread.
#include "sandproof/step.h"

#include <stdexcept>

namespace sandproof {

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  throw std::logic_error("there is no log level " + std::to_string(static_cast<int>(level)));
}

}  // namespace sandproof

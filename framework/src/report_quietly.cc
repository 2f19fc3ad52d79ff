// SPDX-License-Identifier: Apache-2.0
// The text of a caught exception (report_quietly.h). Any thread.
#include "report_quietly.h"

#include <exception>

namespace sandproof {

std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception was thrown";
  }
}

}  // namespace sandproof

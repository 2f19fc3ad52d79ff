// SPDX-License-Identifier: Apache-2.0
// Reports to diagnostics from places that must not throw. Functions; any thread.
#pragma once

#include <string>

#include "sandproof/step.h"

namespace sandproof {

/// Diagnostics are the last resort: where they fail too, there is nobody left to tell.
template <typename MakeText>
void report_quietly(Diagnostics* diagnostics, LogLevel level, const MakeText& make_text) noexcept {
  if (diagnostics == nullptr) return;
  try {
    diagnostics->report(level, make_text());
  } catch (...) {
  }
}

/// What the exception that is being handled says. Only inside a catch block.
std::string current_exception_text();

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// Calls a flavor's hook and makes what it throws an error of the contract: errors.h's types pass
// (their texts redacted), anything else becomes a BackendError that names operation and object. Any
// thread.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "redaction.h"
#include "sandproof/errors.h"

namespace sandproof {

/// Rethrows the current exception as described above. Called inside a catch block.
[[noreturn]] void rethrow_as_contract_error(const Redactor& redactor, const std::string& doing);

template <typename Call>
auto guarded(const Redactor& redactor, const std::string& doing, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    rethrow_as_contract_error(redactor, doing);
  }
}

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// The messages of the errors that make their own (sandproof/errors.h). Values; any thread.
#include "sandproof/errors.h"

#include <string>

namespace sandproof {

SessionClosedError::SessionClosedError(const std::string& session_id)
    : Error("session " + session_id +
            " is closed: create a new session, or attach to the id where the flavor allows it") {}

UnsupportedError::UnsupportedError(const std::string& operation, const std::string& flavor)
    : Error(operation + " is not supported by " + flavor +
            ": check capabilities() first, or use a flavor that claims it") {}

}  // namespace sandproof

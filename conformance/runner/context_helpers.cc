// SPDX-License-Identifier: Apache-2.0
// The two helpers of context.h with which cases arrange. Any thread.
#include <utility>

#include "sandproof/conformance/context.h"

namespace sandproof::conformance {

Output run(Session& session, std::vector<std::string> argv) {
  return session.exec(Command(std::move(argv)))->collect();
}

Output sh(Session& session, std::string script) {
  return run(session, {"sh", "-c", std::move(script)});
}

}  // namespace sandproof::conformance

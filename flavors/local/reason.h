// SPDX-License-Identifier: Apache-2.0
// The words for an errno, as every sentence of this flavor has them in parentheses.
#pragma once

#include <string>
#include <system_error>

namespace sandproof::local {

/// "No such file or directory" for ENOENT. Any thread.
inline std::string reason_of(int error) { return std::generic_category().message(error); }

}  // namespace sandproof::local

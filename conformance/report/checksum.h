// SPDX-License-Identifier: Apache-2.0
// A checksum that tells a file from an edited or another one. It is against accidents and hurried
// edits: whoever wants to deceive can compute it, too. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sandproof::conformance {

/// FNV-1a over the bytes, 64 bits wide: "fnv1a64:cbf29ce484222325".
std::string checksum_of(std::string_view text);

}  // namespace sandproof::conformance

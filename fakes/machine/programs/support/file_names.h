// SPDX-License-Identifier: Apache-2.0
// How a listing writes and sorts the names of files. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine::programs {

/// With '?' for what cannot be printed.
std::string printable_name(std::string_view name);
/// Digits in names are compared as numbers; below 0, 0, above 0.
int compare_versions(std::string_view left, std::string_view right);
/// What ls -F puts behind a name; 0 for nothing.
char type_mark(const Attributes& file);

}  // namespace sandproof::machine::programs

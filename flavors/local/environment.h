// SPDX-License-Identifier: Apache-2.0
// The environment of a command: forwarded host variables, then what the settings and the exec
// name, then the mark. Functions over values; any thread, but nobody may change this program's
// environment (setenv) while forwarded_environment() reads it.
#pragma once

#include <string>
#include <vector>

#include "flavors/local/mark.h"
#include "sandproof/command.h"
#include "sandproof/settings.h"

namespace sandproof::local {

/// What is forwarded unless the setting `forward_env` says something else.
std::vector<std::string> default_forwarded_names();

/// The variables of this program that `forward` lets through: true for all, false for none, or
/// the names of a list; a name that is not set is left out. Throws InvalidArgumentError for a name
/// that is none.
Environment forwarded_environment(const SettingValue& forward);

/// `given` (what settings and exec name) over what was forwarded.
Environment layered_environment(const Environment& forwarded, const Environment& given);

/// `env` with the mark, whatever it says about that.
Environment marked_environment(Environment env, const Mark& mark);

}  // namespace sandproof::local

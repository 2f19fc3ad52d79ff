// SPDX-License-Identifier: Apache-2.0
// Secret references in settings (CONTRACT.md, SET-005). A function over values; any thread.
#pragma once

#include <string>
#include <vector>

#include "sandproof/secret_store.h"
#include "sandproof/settings.h"

namespace sandproof {

/// A copy of `settings` in which every `{{name.key}}` inside a string, an element of a list or a
/// value of a map is replaced by what the store has there, and every `{{{{` by `{{`. Blanks around
/// `name.key` are ignored; the key may hold dots, the name may not. What a secret holds is not
/// searched for references.
///
/// Each value that took part is appended to `resolved_values` once, for the Redactor.
///
/// Throws InvalidArgumentError that names the field and the reference, and never a value, for a
/// secret that does not exist, for a reference without a store (`store` is null), for a malformed
/// one, and for a secret with a NUL in it. Of a reference that is never closed only the place is
/// named: what follows its braces may be part of a password. What the store throws passes through.
[[nodiscard]] Settings resolve_secrets(const Settings& settings, const SecretStore* store,
                                       std::vector<std::string>& resolved_values);

}  // namespace sandproof

// SPDX-License-Identifier: Apache-2.0
// Shell text of what is smaller than a command. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

/// With its descriptor always written.
std::string redirection_text(const Redirection& redirection);

/// The lines after the one of the operator: body and delimiter.
std::string here_document_text(const HereDocument& here);

/// `-` for kDefault, and so on; nothing for kNone, kLength and kBad.
std::string_view operator_text(ParameterOperator op);

std::string_view operator_text(RedirectionOperator op);

}  // namespace sandproof::machine::shell

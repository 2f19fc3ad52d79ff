// SPDX-License-Identifier: Apache-2.0
// Files of the repository that the program carries: the templates of `init`, from skeleton/. The
// table is generated when CMake configures (cmake/embed.cmake). Immutable; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace sandproof::apps {

struct EmbeddedFile {
  /// Without `.in`.
  std::string_view name;
  std::string_view text;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace sandproof::apps

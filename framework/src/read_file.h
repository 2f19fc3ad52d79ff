// SPDX-License-Identifier: Apache-2.0
// Reads small files that a person wrote. A function; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace sandproof {

/// The whole content. `what` names the file in messages: "the stack file x.json". Throws
/// InvalidArgumentError for one that cannot be read, is a directory, or has more than `most_bytes`.
/// A pipe is read to its end, however long that takes; one that nobody has opened to write is
/// refused at once.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, const std::string& what,
                                    std::size_t most_bytes);

}  // namespace sandproof

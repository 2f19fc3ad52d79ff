// SPDX-License-Identifier: Apache-2.0
// Executables of the machine. A file stands for the machine's program NAME by its contents, a short
// image that begins as an ELF file does: so it can be copied, linked, packed into a tar and
// unpacked again like a real executable, and costs one small chunk that all boxes share. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sandproof::machine {

/// No image is longer, bytes; nor is the name longer than NAME_MAX.
inline constexpr std::size_t kProgramImageMax = 512;

std::string program_image(std::string_view name);
/// The name, if these bytes, the file's first, are such an image.
std::optional<std::string> program_in(std::string_view bytes);

}  // namespace sandproof::machine

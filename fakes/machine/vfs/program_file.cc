// SPDX-License-Identifier: Apache-2.0
// The image of a program; see program_file.h.
#include "fakes/machine/vfs/program_file.h"

#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine {
namespace {

using std::string_view_literals::operator""sv;

// The magic number, 64 bits, little-endian, version 1; then words that no linker writes.
constexpr std::string_view kImageHead = "\177ELF\2\1\1\0sandproof machine program: "sv;

}  // namespace

std::string program_image(std::string_view name) {
  return std::string(kImageHead) + std::string(name.substr(0, kNameMax)) + "\n";
}

std::optional<std::string> program_in(std::string_view bytes) {
  if (!bytes.starts_with(kImageHead)) return std::nullopt;
  bytes.remove_prefix(kImageHead.size());
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  return std::string(bytes.substr(0, end));
}

}  // namespace sandproof::machine

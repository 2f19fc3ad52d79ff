// SPDX-License-Identifier: Apache-2.0
// Stack files: any text is a stack or an InvalidArgumentError that names the file; the entries of a
// stack have names and ids of their own, known flavors, and settings that pass the flavor's check.
#include "sandproof/stack.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sandproof/errors.h"
#include "tests/fuzz/flavors.h"
#include "tests/fuzz/require.h"
#include "utf8.h"

namespace sandproof::fuzz {
namespace {

std::optional<Stack> parse(const std::string& text) {
  try {
    return parse_stack(text, "the stack file x.json", two_flavors());
  } catch (const InvalidArgumentError& error) {
    const std::string_view message = error.what();
    require(message.starts_with("cannot use the stack file x.json: "), "a refusal names the file");
    require(is_valid_utf8(message), "a refusal is text");
    return std::nullopt;
  }
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof;
  using namespace sandproof::fuzz;
  const std::optional<Stack> stack = parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!stack) return 0;
  require(&stack->default_entry() == &stack->entries().front(), "the first is the default");
  std::set<std::string> names;
  std::set<std::string> ids;
  for (const StackEntry& entry : stack->entries()) {
    require(names.insert(entry.name).second, "names differ");
    require(ids.insert(entry.id).second, "ids differ");
    require(&stack->at(entry.name) == &entry, "an entry is found by its name");
    const Flavor& flavor = two_flavors().at(entry.flavor);
    require(flavor.settings.checked(entry.config) == entry.config, "the config passes the check");
  }
  return 0;
}

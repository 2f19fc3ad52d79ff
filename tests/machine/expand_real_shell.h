// SPDX-License-Identifier: Apache-2.0
// The real shells that expansion is compared with: many small scripts through one process, which
// runs each in a subshell of its own.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::machine::shell {

struct RealShell {
  std::vector<std::string> argv;
};

/// Debian's /bin/sh. Its package is essential: it is there.
RealShell real_dash();
/// What `busybox` is on PATH; scripts/lib.sh installs it for the tests.
RealShell real_busybox();

struct RealRun {
  std::string out;
  std::string err;
  int status = 0;
};

/// What the scripts wrote, in their order; each ran with LC_ALL=C, in `directory`, with nothing but
/// PATH in its environment. Of the lines on stderr, the name of the shell, its line and "eval: "
/// are cut off. A script must not write the bytes 0x1d and 0x1e. Throws std::runtime_error where
/// the shell does not run them all.
std::vector<RealRun> run_all(const RealShell& shell, const std::vector<std::string>& scripts,
                             const std::string& directory = "/");

/// The text in single quotes, for a script.
std::string quote_for_script(std::string_view text);

/// One of the choices. The same engine gives the same choices on every system.
template <typename T>
const T& pick(std::mt19937& engine, const std::vector<T>& choices) {
  return choices[engine() % choices.size()];
}

/// Up to `most` of the pieces, one after the other.
std::string random_text(std::mt19937& engine, const std::vector<std::string>& pieces,
                        unsigned most);

}  // namespace sandproof::machine::shell

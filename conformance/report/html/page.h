// SPDX-License-Identifier: Apache-2.0
// What every HTML report has: the style and the scripts of this folder, built into the
// program. Pure; any thread.
#pragma once

#include <string_view>

namespace sandproof::conformance {

struct PageAssets {
  std::string_view style;
  std::string_view script;
  /// As the page's policy names them: "sha256-…". Nothing else in the page is run or drawn by.
  std::string_view style_hash;
  std::string_view script_hash;
};

const PageAssets& page_assets();

}  // namespace sandproof::conformance

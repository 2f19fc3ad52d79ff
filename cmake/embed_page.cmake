# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=… -DSTYLE=… -DSCRIPTS=a.js,b.js -P embed_page.cmake: writes the source that defines
# page_assets(), with the hashes by which the page's policy allows its style and its script.

# The bits of a hexadecimal number, six at a time: what the policy takes is base64.
function(hex_to_base64 hex var)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(result "")
  # A digest has 32 bytes; one zero byte more makes whole groups of three, and one sign of padding.
  string(APPEND hex "00")
  string(REGEX MATCHALL "......" groups "${hex}")
  foreach(group IN LISTS groups)
    foreach(shift IN ITEMS 18 12 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${index} 1 sign)
      string(APPEND result "${sign}")
    endforeach()
  endforeach()
  string(REGEX REPLACE "A$" "=" result "${result}")
  set(${var} "${result}" PARENT_SCOPE)
endfunction()

file(READ "${STYLE}" style)
# One function around all scripts: their names are theirs alone.
set(script "(() => {\n'use strict';\n")
string(REPLACE "," ";" scripts "${SCRIPTS}")
foreach(path IN LISTS scripts)
  file(READ "${path}" text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")

foreach(part IN ITEMS style script)
  string(SHA256 digest "${${part}}")
  hex_to_base64("${digest}" ${part}_hash)
  # Either would end the literal, or the element of the page.
  if("${${part}}" MATCHES "\\)embedded\"|</(style|script)")
    message(FATAL_ERROR "the page's ${part} has text that ends it where it is embedded")
  endif()
endforeach()

file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: Apache-2.0
// Made by cmake/embed_page.cmake.
#include \"conformance/report/html/page.h\"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): whole files.
const PageAssets& page_assets() {
  static constexpr PageAssets kAssets = {
      R\"embedded(${style})embedded\",
      R\"embedded(${script})embedded\",
      \"sha256-${style_hash}\",
      \"sha256-${script_hash}\",
  };
  return kAssets;
}

}  // namespace sandproof::conformance
")

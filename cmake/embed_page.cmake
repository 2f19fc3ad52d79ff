# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=… -DOUTPUT=… -P embed_page.cmake: writes the source that defines page_assets() from
# page.css and page.js of FOLDER, with the hashes by which the page's policy allows them.

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

foreach(part IN ITEMS css js)
  file(READ "${FOLDER}/page.${part}" ${part})
  file(SHA256 "${FOLDER}/page.${part}" digest)
  hex_to_base64("${digest}" ${part}_hash)
  # Either would end the literal, or the element of the page.
  if("${${part}}" MATCHES "\\)embedded\"|</(style|script)")
    message(FATAL_ERROR "${FOLDER}/page.${part} has text that ends it where it is embedded")
  endif()
endforeach()

file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: Apache-2.0
// Made by cmake/embed_page.cmake.
#include \"conformance/report/html/page.h\"

namespace sandproof::conformance {

const PageAssets& page_assets() {
  static constexpr PageAssets kAssets = {
      R\"embedded(${css})embedded\",
      R\"embedded(${js})embedded\",
      \"sha256-${css_hash}\",
      \"sha256-${js_hash}\",
  };
  return kAssets;
}

}  // namespace sandproof::conformance
")

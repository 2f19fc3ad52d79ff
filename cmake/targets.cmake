# SPDX-License-Identifier: Apache-2.0
# What the targets of this repository have in common.

# sandproof_sources(VAR PATTERN...): the sources that match, relative to the current folder; a file
# that is added later is picked up by the next build.
function(sandproof_sources var)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB found CONFIGURE_DEPENDS ${ARGN})
  set(${var} ${found} PARENT_SCOPE)
endfunction()

# sandproof_or_placeholder(VAR): a folder that has no source yet is still a library.
function(sandproof_or_placeholder var)
  if(NOT ${var})
    set(placeholder "${CMAKE_BINARY_DIR}/placeholder.cc")
    file(CONFIGURE OUTPUT "${placeholder}" CONTENT "// SPDX-License-Identifier: Apache-2.0\n")
    set(${var} "${placeholder}" PARENT_SCOPE)
  endif()
endfunction()

# sandproof_target(NAME): options that every target of ours has.
function(sandproof_target name)
  # BUILD_INTERFACE: no user of a library of ours inherits its warnings.
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:sandproof_options>)
  target_compile_features(${name} PUBLIC cxx_std_20)
endfunction()

# sandproof_use_pch(NAME KIND): reuses the precompiled header `test` (GoogleTest) or `tool` (JSON, the
# command line) of conformance/CMakeLists.txt. It speeds compilation up; it does not stand in for
# includes (header_check and clang-tidy compile without it).
function(sandproof_use_pch name kind)
  target_precompile_headers(${name} REUSE_FROM sandproof_${kind}_pch)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -fpch-preprocess)
  endif()
endfunction()

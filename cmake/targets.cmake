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

# sandproof_target(NAME [HOT]): options that every target of ours has. HOT is what a benchmark
# measures, or the benchmark: the default build compiles that at -O2 and the rest at -O1, which
# saves a fifth of the build's time.
function(sandproof_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT" "" "")
  # BUILD_INTERFACE: no user of a library of ours inherits its warnings.
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:sandproof_options>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  if(NOT arg_HOT)
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The compiler's heap begins with the precompiled header's 100 MB; without a higher threshold
    # every unit pays for collections that free nothing.
    target_compile_options(${name} PRIVATE "SHELL:--param ggc-min-heapsize=524288")
  endif()
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

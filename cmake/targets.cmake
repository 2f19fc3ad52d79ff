# SPDX-License-Identifier: Apache-2.0
# What the targets of this repository have in common.

# Most of a unit's time goes into templates that its neighbours instantiate too: six files a unit
# halve the whole build. The price: names in the unnamed namespaces of one target must differ (with
# 0, all of a target, the compiler names each that does not). The preset `tidy` compiles each file
# alone, which shows a missing include.
set(SANDPROOF_UNITY 6 CACHE STRING "Sources per unit; 1 compiles each alone, 0 a whole target as one")

# sandproof_sources(VAR PATTERN...): the sources that match, relative to the current folder; a file
# that is added later is picked up by the next build.
function(sandproof_sources var)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB found CONFIGURE_DEPENDS ${ARGN})
  set(${var} ${found} PARENT_SCOPE)
endfunction()

# sandproof_target(NAME [HOT|COLD]): options that every target of ours has. In the default build, HOT
# (what a benchmark measures, and the benchmark) is compiled at -O2, COLD (assertions that run once)
# at -O0, and the rest at -O1: that saves a third of the build's time.
function(sandproof_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;COLD" "" "")
  # BUILD_INTERFACE: no user of a library of ours inherits its warnings.
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:sandproof_options>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  get_target_property(kind ${name} TYPE)
  if(SANDPROOF_SANITIZE AND kind STREQUAL "EXECUTABLE")
    sandproof_sanitizer_options(${name})
  endif()
  if(NOT SANDPROOF_UNITY EQUAL 1)
    set_target_properties(${name} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SANDPROOF_UNITY})
  endif()
  # A package is to be the same wherever it was built.
  target_compile_options(${name} PRIVATE
    $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
  if(arg_COLD)
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  elseif(NOT arg_HOT)
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The compiler's heap begins with the precompiled header's 100 MB; without a higher threshold
    # every unit pays for collections that free nothing.
    target_compile_options(${name} PRIVATE "SHELL:--param ggc-min-heapsize=524288")
  endif()
endfunction()

# What every second source includes from the standard library.
set(sandproof_std_headers
  <algorithm> <array> <atomic> <chrono> <condition_variable> <filesystem> <functional> <future> <map>
  <memory> <mutex> <optional> <span> <string> <string_view> <thread> <utility> <variant> <vector>)

# sandproof_use_pch(NAME KIND): reuses the precompiled header `test` (GoogleTest, for COLD targets) or
# `tool` (JSON) of conformance/CMakeLists.txt. It speeds compilation up; it does not stand in for
# includes: clang-tidy compiles without it.
function(sandproof_use_pch name kind)
  target_precompile_headers(${name} REUSE_FROM sandproof_${kind}_pch)
  sandproof_pch_options(${name})
endfunction()

# What GCC needs so that ccache can keep units that use a precompiled header.
function(sandproof_pch_options name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# The one private interface target that carries warnings (here) and sanitizers (sanitizers.cmake).
# Every target of this repository links it privately; nothing of it reaches a consumer.
add_library(sandproof_options INTERFACE)

# Warnings are errors with the compilers that CI runs (g++ 12, clang 16). A newer one knows more
# warnings, and must still build.
set(sandproof_werror_default OFF)
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17))
  set(sandproof_werror_default ON)
endif()
option(SANDPROOF_WERROR "Warnings are errors" ${sandproof_werror_default})

target_compile_options(sandproof_options INTERFACE
  -Wall
  -Wextra
  -Wpedantic
  -Wshadow
  -Wcast-qual
  -Wextra-semi
  -Wformat=2
  -Wimplicit-fallthrough
  -Wnon-virtual-dtor
  -Wold-style-cast
  -Wundef
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
  $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
  $<$<BOOL:${SANDPROOF_WERROR}>:-Werror>)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False findings inside std::string and std::optional once they are inlined (GCC bugs 105329,
  # 105651, 105762, 80635). The sanitizers find the true ones.
  target_compile_options(sandproof_options INTERFACE
    -Wno-array-bounds -Wno-maybe-uninitialized -Wno-restrict
    -Wno-stringop-overflow -Wno-stringop-overread)
endif()

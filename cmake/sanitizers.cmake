# SPDX-License-Identifier: Apache-2.0
# SANDPROOF_SANITIZE: empty, "address,undefined" or "thread". SANDPROOF_FUZZ: clang's libFuzzer.
set(SANDPROOF_SANITIZE "" CACHE STRING "Sanitizers: empty, address,undefined or thread")
set_property(CACHE SANDPROOF_SANITIZE PROPERTY STRINGS "" "address,undefined" "thread")
option(SANDPROOF_FUZZ "Build the fuzz targets of tests/fuzz (clang only)" OFF)

if(SANDPROOF_SANITIZE AND NOT SANDPROOF_SANITIZE MATCHES "^(address,undefined|address|undefined|thread)$")
  message(FATAL_ERROR
    "SANDPROOF_SANITIZE is '${SANDPROOF_SANITIZE}'; it must be empty, address,undefined or thread.")
endif()

if(SANDPROOF_SANITIZE)
  target_compile_options(sandproof_options INTERFACE
    -fsanitize=${SANDPROOF_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(sandproof_options INTERFACE -fsanitize=${SANDPROOF_SANITIZE})
  # See sandproof/sanitized.h.
  target_compile_definitions(sandproof_options INTERFACE SANDPROOF_SANITIZED=1)
  if(SANDPROOF_SANITIZE MATCHES "undefined")
    # A finding must fail the test, not scroll by.
    target_compile_options(sandproof_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
  if(SANDPROOF_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns about every fence under tsan; they are in other people's headers.
    target_compile_options(sandproof_options INTERFACE -Wno-tsan)
  endif()
endif()

# sandproof_sanitizer_options(NAME): the program NAME carries the options of its sanitizers.
function(sandproof_sanitizer_options name)
  set(source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sanitizer_options.cc")
  target_sources(${name} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

if(SANDPROOF_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SANDPROOF_FUZZ needs clang++ (libFuzzer); use the preset 'fuzz'.")
  endif()
  target_compile_options(sandproof_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

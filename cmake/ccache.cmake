# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache where it is installed. The sloppiness words are the ones that ccache's
# manual demands for precompiled headers; GCC needs -fpch-preprocess besides (see targets.cmake).
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(SANDPROOF_CCACHE ccache)
  mark_as_advanced(SANDPROOF_CCACHE)
  if(SANDPROOF_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${SANDPROOF_CCACHE}")
  endif()
endif()

# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts below a prefix: the libraries with their public headers, the program, a
# CMake package of components, pkg-config files, and the documentation. All of it may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(sandproof_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sandproof")

# sandproof_component(COMPONENT TARGET...): its targets as sandproof::NAME, in a file of their own, so
# that a program that wants the framework alone need not have GoogleTest.
function(sandproof_component component)
  foreach(target IN LISTS ARGN)
    string(REGEX REPLACE "^sandproof_" "" name "${target}")
    string(REPLACE "_" "-" file "sandproof-${name}")
    set_target_properties(${target} PROPERTIES EXPORT_NAME "${name}" OUTPUT_NAME "${file}")
  endforeach()
  install(TARGETS ${ARGN} EXPORT sandproof-${component}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT sandproof-${component} NAMESPACE sandproof::
    DESTINATION "${sandproof_package_dir}" FILE sandproof-${component}-targets.cmake)
endfunction()

sandproof_component(framework sandproof_framework)
sandproof_component(flavors sandproof_flavor_local sandproof_flavors)
sandproof_component(conformance sandproof_conformance)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/sandproof-config.cmake.in"
  "${PROJECT_BINARY_DIR}/package/sandproof-config.cmake"
  INSTALL_DESTINATION "${sandproof_package_dir}"
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break what uses the libraries.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/sandproof-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/sandproof-config.cmake"
  "${PROJECT_BINARY_DIR}/package/sandproof-config-version.cmake"
  DESTINATION "${sandproof_package_dir}")

# pkg-config computes the prefix from where the file lies.
file(RELATIVE_PATH sandproof_pc_prefix
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" sandproof_pc_prefix "${sandproof_pc_prefix}")
foreach(component IN ITEMS framework flavors conformance)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/sandproof-${component}.pc.in"
    "${PROJECT_BINARY_DIR}/package/sandproof-${component}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/sandproof-${component}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

install(TARGETS sandproof RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

file(GLOB sandproof_docs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
install(FILES README.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# Where Debian looks for it.
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
install(FILES ${sandproof_docs} DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")

# `cpack` makes the Debian package: the program, and what is needed to build a flavor with it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sandproof)
set(CPACK_PACKAGE_VENDOR sandproof)
set(CPACK_PACKAGE_CONTACT "The sandproof authors")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "proves execution sandboxes")
set(CPACK_PACKAGE_DESCRIPTION
"One contract in numbered rules, one conformance suite that runs against every
flavor of sandbox, and a report that says what a flavor gets wrong. This package
has the program, and the libraries, headers and build files to bind a flavor.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Of the program, by dpkg-shlibdeps; and what the CMake package and the pkg-config files look for.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgtest-dev, libgmock-dev, libspdlog-dev, libyaml-cpp-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ (>= 4:12), cmake (>= 3.25)")
# The suite's objects compress from 100 MB to 20; xz would take a minute to make it 15.
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
include(CPack)

# Installs the program, the library with its headers, and a CMake package: find_package(oddsbound) in other projects.
include(CMakePackageConfigHelpers)

set(ODDSBOUND_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/oddsbound)
install(TARGETS oddsbound EXPORT oddsboundTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
add_executable(oddsbound::oddsbound_program ALIAS oddsbound_cli)
set_target_properties(oddsbound_cli PROPERTIES EXPORT_NAME oddsbound_program)
install(TARGETS oddsbound_cli EXPORT oddsboundProgram RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(public_headers include/oddsbound/)
foreach(module IN LISTS ODDSBOUND_MODULES)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${module}/include)
    list(APPEND public_headers ${module}/include/oddsbound/)
  endif()
endforeach()
install(DIRECTORY ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/oddsbound)
install(FILES specs/oddsbound.schema.json specs/oddsbound-design.schema.json specs/oddsbound-release.schema.json
  specs/oddsbound-plan.schema.json specs/oddsbound-lock.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/oddsbound)
install(DIRECTORY specs/gallery specs/claims-of-the-papers specs/designs specs/releases DESTINATION ${CMAKE_INSTALL_DATADIR}/oddsbound)
install(EXPORT oddsboundTargets NAMESPACE oddsbound:: DESTINATION ${ODDSBOUND_PACKAGE_DIR})
install(EXPORT oddsboundProgram NAMESPACE oddsbound:: DESTINATION ${ODDSBOUND_PACKAGE_DIR})
install(FILES cmake/OddsboundVerify.cmake DESTINATION ${ODDSBOUND_PACKAGE_DIR})
configure_package_config_file(cmake/oddsboundConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/oddsboundConfig.cmake
                              INSTALL_DESTINATION ${ODDSBOUND_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/oddsboundConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/oddsboundConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/oddsboundConfigVersion.cmake DESTINATION ${ODDSBOUND_PACKAGE_DIR})

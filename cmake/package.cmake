# The man page and the completions, written by the built program, and a Debian package of all installed files:
# cmake --build --preset release --target package.
set(ODDSBOUND_PAGES ${CMAKE_CURRENT_BINARY_DIR}/pages)
set(ODDSBOUND_MAINTAINER "Seed 6fa5bee6 maintainers <maintainers@users.noreply.a-seed-6fa5bee6.example>")
find_program(GZIP gzip REQUIRED)
add_custom_command(
  OUTPUT ${ODDSBOUND_PAGES}/oddsbound.1.gz ${ODDSBOUND_PAGES}/bash ${ODDSBOUND_PAGES}/zsh ${ODDSBOUND_PAGES}/fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${ODDSBOUND_PAGES}
  COMMAND oddsbound_cli man > ${ODDSBOUND_PAGES}/oddsbound.1
  COMMAND ${GZIP} -9nf ${ODDSBOUND_PAGES}/oddsbound.1
  COMMAND oddsbound_cli completion bash > ${ODDSBOUND_PAGES}/bash
  COMMAND oddsbound_cli completion zsh > ${ODDSBOUND_PAGES}/zsh
  COMMAND oddsbound_cli completion fish > ${ODDSBOUND_PAGES}/fish
  DEPENDS oddsbound_cli COMMENT "The man page and the completions" VERBATIM)
set(everyone ALL)
if(ODDSBOUND_SANITIZE)  # such a build is not for installation
  set(everyone)
endif()
add_custom_target(oddsbound_pages ${everyone} DEPENDS ${ODDSBOUND_PAGES}/oddsbound.1.gz)
install(FILES ${ODDSBOUND_PAGES}/oddsbound.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${ODDSBOUND_PAGES}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME oddsbound)
install(FILES ${ODDSBOUND_PAGES}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _oddsbound)
install(FILES ${ODDSBOUND_PAGES}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME oddsbound.fish)
# Debian requires its own changelog format; its date follows SOURCE_DATE_EPOCH.
string(TIMESTAMP ODDSBOUND_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${ODDSBOUND_PAGES}/changelog @ONLY NEWLINE_STYLE UNIX CONTENT
"oddsbound (@PROJECT_VERSION@) unstable; urgency=medium

  * What changed in this version is in CHANGELOG.md, beside this file.

 -- @ODDSBOUND_MAINTAINER@  @ODDSBOUND_DATE@
")
execute_process(COMMAND ${GZIP} -9nkf ${ODDSBOUND_PAGES}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${ODDSBOUND_PAGES}/changelog.gz cmake/copyright LICENSE CHANGELOG.md README.md CITATION.cff
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The manual, without what its site is made of; the examples.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN site EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE
        PATTERN build EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME oddsbound)
set(CPACK_PACKAGE_VENDOR "oddsbound contributors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${ODDSBOUND_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"oddsbound measures how far a randomized mechanism can move an adversary's
odds, attribute by attribute, given how the attributes correlate. It decides
claims of local, Bayesian and coordinate differential privacy in exact
arithmetic, draws from mechanisms, and audits running samplers. The C++ library
is here too; linking it needs the development packages that are suggested.")
# The program needs shared libraries, found by dpkg-shlibdeps; only linking the static library needs the others.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "cmake (>= 3.25), coinor-libclp-dev, g++, libflint-arb-dev, libflint-dev, libfmt-dev, libgmp-dev, libssl-dev, libz3-dev")
# Parts with more dependencies than the program are separate packages.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME oddsbound)
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION ${CPACK_DEBIAN_PACKAGE_DESCRIPTION})
include(cmake/package_checker.cmake)
if(ODDSBOUND_PYTHON)
  include(cmake/package_python.cmake)
endif()
if(ODDSBOUND_MPI)
  include(cmake/package_mpi.cmake)
endif()
include(CPack)

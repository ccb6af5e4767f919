# A Debian package of the checker of certificates, python3-oddsbound-check: a Python package without dependencies, and the
# command oddsbound-check. It needs nothing that is built.
set(in_checker COMPONENT checker EXCLUDE_FROM_ALL)
set(CHECKER_PAGES ${ODDSBOUND_PAGES}/checker)
install(DIRECTORY checker/oddsbound_check DESTINATION lib/python3/dist-packages ${in_checker}
        FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
set(CHECKER_DIST_INFO ${CHECKER_PAGES}/oddsbound_check-${PROJECT_VERSION}.dist-info)
file(CONFIGURE OUTPUT ${CHECKER_DIST_INFO}/METADATA @ONLY CONTENT
"Metadata-Version: 2.1
Name: oddsbound-check
Version: @PROJECT_VERSION@
Summary: Checks the certificates of oddsbound, without oddsbound
")
file(CONFIGURE OUTPUT ${CHECKER_DIST_INFO}/INSTALLER CONTENT "debian\n")
install(DIRECTORY ${CHECKER_DIST_INFO} DESTINATION lib/python3/dist-packages ${in_checker})
file(CONFIGURE OUTPUT ${CHECKER_PAGES}/oddsbound-check NEWLINE_STYLE UNIX CONTENT
"#!/usr/bin/python3
import sys

from oddsbound_check.cli import run

sys.exit(run())
")
install(PROGRAMS ${CHECKER_PAGES}/oddsbound-check DESTINATION ${CMAKE_INSTALL_BINDIR} ${in_checker})
install(FILES ${ODDSBOUND_PAGES}/changelog.gz cmake/copyright LICENSE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-oddsbound-check ${in_checker})
# Compiled at installation, like Debian's own packages, so that removal leaves nothing behind.
file(CONFIGURE OUTPUT ${CHECKER_PAGES}/postinst NEWLINE_STYLE UNIX
     CONTENT "#!/bin/sh\nset -e\n[ \"$1\" != configure ] || py3compile -p python3-oddsbound-check\n")
file(CONFIGURE OUTPUT ${CHECKER_PAGES}/prerm NEWLINE_STYLE UNIX
     CONTENT "#!/bin/sh\nset -e\npy3clean -p python3-oddsbound-check\n")
file(CHMOD ${CHECKER_PAGES}/postinst ${CHECKER_PAGES}/prerm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
     GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

list(APPEND CPACK_COMPONENTS_ALL checker)
set(CPACK_DEBIAN_CHECKER_PACKAGE_NAME python3-oddsbound-check)
set(CPACK_DEBIAN_CHECKER_PACKAGE_SECTION python)
set(CPACK_DEBIAN_CHECKER_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_CHECKER_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_CHECKER_PACKAGE_DEPENDS "python3 (>= 3.9)")
set(CPACK_DEBIAN_CHECKER_PACKAGE_SUGGESTS oddsbound)
set(CPACK_DEBIAN_CHECKER_PACKAGE_CONTROL_EXTRA "${CHECKER_PAGES}/postinst;${CHECKER_PAGES}/prerm")
set(CPACK_COMPONENT_CHECKER_DESCRIPTION
"oddsbound-check proves the verdicts of oddsbound again from a spec and a
certificate. It is Python without other packages and shares no code with
oddsbound, which is not needed to run it.")

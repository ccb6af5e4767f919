# A second Debian package, python3-oddsbound: the module, its Python files, and the entry point of the pytest plugin.
set(ODDSBOUND_DIST_PACKAGES lib/python3/dist-packages)
set(in_python COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS oddsbound_python LIBRARY DESTINATION ${ODDSBOUND_DIST_PACKAGES}/oddsbound ${in_python})
install(DIRECTORY python/oddsbound DESTINATION ${ODDSBOUND_DIST_PACKAGES} ${in_python}
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
set(DIST_INFO ${ODDSBOUND_PAGES}/python/oddsbound-${PROJECT_VERSION}.dist-info)
file(CONFIGURE OUTPUT ${DIST_INFO}/METADATA @ONLY CONTENT
"Metadata-Version: 2.1
Name: oddsbound
Version: @PROJECT_VERSION@
Summary: @PROJECT_DESCRIPTION@
")
file(CONFIGURE OUTPUT ${DIST_INFO}/entry_points.txt CONTENT "[pytest11]\noddsbound = oddsbound.pytest_plugin\n")
file(CONFIGURE OUTPUT ${DIST_INFO}/INSTALLER CONTENT "debian\n")
install(DIRECTORY ${DIST_INFO} DESTINATION ${ODDSBOUND_DIST_PACKAGES} ${in_python})
install(FILES ${ODDSBOUND_PAGES}/changelog.gz cmake/copyright LICENSE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-oddsbound ${in_python})
# Compiled at installation, like Debian's own packages, so that removal leaves nothing behind.
file(CONFIGURE OUTPUT ${ODDSBOUND_PAGES}/python/postinst NEWLINE_STYLE UNIX
     CONTENT "#!/bin/sh\nset -e\n[ \"$1\" != configure ] || py3compile -p python3-oddsbound\n")
file(CONFIGURE OUTPUT ${ODDSBOUND_PAGES}/python/prerm NEWLINE_STYLE UNIX
     CONTENT "#!/bin/sh\nset -e\npy3clean -p python3-oddsbound\n")
file(CHMOD ${ODDSBOUND_PAGES}/python/postinst ${ODDSBOUND_PAGES}/python/prerm PERMISSIONS OWNER_READ OWNER_WRITE
     OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

list(APPEND CPACK_COMPONENTS_ALL python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-oddsbound)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy, python3-pandas")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "oddsbound, python3-pytest, python3-tqdm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${ODDSBOUND_PAGES}/python/postinst;${ODDSBOUND_PAGES}/python/prerm")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"oddsbound for Python: exact privacy levels of randomized mechanisms, with
pandas frames as priors, inputs and outputs, audits of Python functions, and
a pytest plugin.")

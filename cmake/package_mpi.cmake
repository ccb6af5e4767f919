# A third Debian package, oddsbound-mpi, so that users with one machine need no Open MPI. It has the commands and
# options of the program, so its man page describes the differences only.
set(in_mpi COMPONENT mpi EXCLUDE_FROM_ALL)
install(TARGETS oddsbound_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${in_mpi})
configure_file(cmake/oddsbound-mpi.1 ${ODDSBOUND_PAGES}/oddsbound-mpi.1 COPYONLY)
execute_process(COMMAND ${GZIP} -9nkf ${ODDSBOUND_PAGES}/oddsbound-mpi.1 COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${ODDSBOUND_PAGES}/oddsbound-mpi.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${in_mpi})
install(FILES ${ODDSBOUND_PAGES}/changelog.gz cmake/copyright LICENSE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/oddsbound-mpi ${in_mpi})
list(APPEND CPACK_COMPONENTS_ALL mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME oddsbound-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION math)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS openmpi-bin)
set(CPACK_DEBIAN_MPI_PACKAGE_SUGGESTS oddsbound)
set(CPACK_COMPONENT_MPI_DESCRIPTION
"oddsbound for several machines: the same program, whose processes work on
one run under mpirun.")

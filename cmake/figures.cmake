# The report's script, bundled by esbuild from reports/web if scripts/setup-debian.sh has installed its packages.
# Without them (or without Node), reports have no script.
option(ODDSBOUND_LIVE_FIGURES "Bundle the report's script, if its packages are there" ON)
find_program(NODE node)
set(ODDSBOUND_WEB ${PROJECT_SOURCE_DIR}/reports/web)
if(ODDSBOUND_LIVE_FIGURES AND NODE AND EXISTS ${ODDSBOUND_WEB}/node_modules/esbuild)
  set(ODDSBOUND_BUNDLE ${PROJECT_BINARY_DIR}/report.js)
  file(GLOB ODDSBOUND_WEB_SOURCES CONFIGURE_DEPENDS ${ODDSBOUND_WEB}/*.js ${ODDSBOUND_WEB}/*.mjs)
  add_custom_command(OUTPUT ${ODDSBOUND_BUNDLE}
                     COMMAND ${NODE} ${ODDSBOUND_WEB}/build.mjs ${ODDSBOUND_BUNDLE}
                     DEPENDS ${ODDSBOUND_WEB_SOURCES} ${ODDSBOUND_WEB}/package-lock.json VERBATIM)
  set_source_files_properties(reports/html/frame.cpp PROPERTIES OBJECT_DEPENDS ${ODDSBOUND_BUNDLE}
                              COMPILE_DEFINITIONS "ODDSBOUND_FIGURES_SCRIPT=\"${ODDSBOUND_BUNDLE}\"")
  target_sources(oddsbound PRIVATE ${ODDSBOUND_BUNDLE})
  set_source_files_properties(${ODDSBOUND_BUNDLE} PROPERTIES HEADER_FILE_ONLY ON)
else()
  message(STATUS "no script is bundled: reports will have none")
endif()

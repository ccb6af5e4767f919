# The style of the pages, and their script, bundled by esbuild from reports/web if scripts/setup-debian.sh has
# installed its packages. Without these (or without Node), reports have no script.
option(ODDSBOUND_LIVE_FIGURES "Bundle the report's script, if its packages are there" ON)
find_program(NODE node)
set(ODDSBOUND_WEB ${PROJECT_SOURCE_DIR}/reports/web)
set(ODDSBOUND_EMBEDDED ${ODDSBOUND_WEB}/page.css)
set(ODDSBOUND_EMBEDDED_PATHS "ODDSBOUND_STYLE=\"${ODDSBOUND_WEB}/page.css\"")
if(ODDSBOUND_LIVE_FIGURES AND NODE AND EXISTS ${ODDSBOUND_WEB}/node_modules/esbuild)
  set(ODDSBOUND_BUNDLE ${PROJECT_BINARY_DIR}/report.js)
  file(GLOB ODDSBOUND_WEB_SOURCES CONFIGURE_DEPENDS ${ODDSBOUND_WEB}/*.js ${ODDSBOUND_WEB}/*.mjs)
  add_custom_command(OUTPUT ${ODDSBOUND_BUNDLE}
                     COMMAND ${NODE} ${ODDSBOUND_WEB}/build.mjs ${ODDSBOUND_BUNDLE}
                     DEPENDS ${ODDSBOUND_WEB_SOURCES} ${ODDSBOUND_WEB}/package-lock.json VERBATIM)
  list(APPEND ODDSBOUND_EMBEDDED ${ODDSBOUND_BUNDLE})
  list(APPEND ODDSBOUND_EMBEDDED_PATHS "ODDSBOUND_FIGURES_SCRIPT=\"${ODDSBOUND_BUNDLE}\"")
  target_sources(oddsbound PRIVATE ${ODDSBOUND_BUNDLE})
  set_source_files_properties(${ODDSBOUND_BUNDLE} PROPERTIES HEADER_FILE_ONLY ON)
else()
  message(STATUS "no script is bundled: reports will have none")
endif()
set_source_files_properties(reports/html/frame.cpp PROPERTIES OBJECT_DEPENDS "${ODDSBOUND_EMBEDDED}"
                            COMPILE_DEFINITIONS "${ODDSBOUND_EMBEDDED_PATHS}")

# Modules extend the core: releases of tables, design of mechanisms, runs by several processes. The core includes
# nothing of them, and builds, installs and passes its tests without them.
#
# A module is a folder. Its module.cmake registers the module in one line:
#   oddsbound_module(NAME [COMMANDS function...] [MECHANISMS type=namespace::function...] [RESULTS function...])
# COMMANDS are subcommands of the program, in NAME/command.cpp. MECHANISMS are types of mechanisms in specs. RESULTS
# are results that `oddsbound report` draws (cli/common.h, ModuleResult). NAME/include holds public headers.
set(ODDSBOUND_MODULES "releases;design;cluster" CACHE STRING "Modules to build: releases, design, cluster")

if(NOT cluster IN_LIST ODDSBOUND_MODULES)
  set(ODDSBOUND_MPI OFF)
endif()

function(oddsbound_module name)
  cmake_parse_arguments(PARSE_ARGV 1 MODULE "" "" "COMMANDS;MECHANISMS;RESULTS")
  foreach(function IN LISTS MODULE_COMMANDS)
    set_property(GLOBAL APPEND_STRING PROPERTY ODDSBOUND_COMMAND_DECLARATIONS "Command ${function}(CLI::App& app);\n")
    set_property(GLOBAL APPEND PROPERTY ODDSBOUND_COMMANDS "${function}(app)")
  endforeach()
  foreach(function IN LISTS MODULE_RESULTS)
    set_property(GLOBAL APPEND_STRING PROPERTY ODDSBOUND_COMMAND_DECLARATIONS "ModuleResult ${function}();\n")
    set_property(GLOBAL APPEND PROPERTY ODDSBOUND_RESULTS "${function}()")
  endforeach()
  foreach(entry IN LISTS MODULE_MECHANISMS)
    string(REGEX MATCH "^(.*)=(.*)::(.*)$" ignored "${entry}")
    set_property(GLOBAL APPEND_STRING PROPERTY ODDSBOUND_READER_DECLARATIONS
                 "namespace oddsbound::${CMAKE_MATCH_2} {\nMechanism ${CMAKE_MATCH_3}(JsonView value, const Domain& domain, ReadingContext& context);\n}\n")
    set_property(GLOBAL APPEND PROPERTY ODDSBOUND_READERS "{\"${CMAKE_MATCH_1}\", ${CMAKE_MATCH_2}::${CMAKE_MATCH_3}}")
  endforeach()
endfunction()

foreach(module IN LISTS ODDSBOUND_MODULES)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${module}/module.cmake)
    message(FATAL_ERROR "ODDSBOUND_MODULES: there is no module '${module}' (modules: releases, design, cluster)")
  endif()
  include(${module}/module.cmake)
endforeach()

# Writes the tables of what the modules register: specs (types of mechanisms) and cli (commands, results).
function(oddsbound_module_table template)
  foreach(list COMMANDS RESULTS READERS)
    get_property(entries GLOBAL PROPERTY ODDSBOUND_${list})
    list(JOIN entries ", " ODDSBOUND_${list})
  endforeach()
  get_property(ODDSBOUND_COMMAND_DECLARATIONS GLOBAL PROPERTY ODDSBOUND_COMMAND_DECLARATIONS)
  get_property(ODDSBOUND_READER_DECLARATIONS GLOBAL PROPERTY ODDSBOUND_READER_DECLARATIONS)
  configure_file(${PROJECT_SOURCE_DIR}/${template}.in ${PROJECT_BINARY_DIR}/${template} @ONLY)
endfunction()

# Precompiles the headers that most files include from outside the project, once per target. CMAKE_UNITY_BUILD
# builds only: builds of single files detect missing includes.
function(oddsbound_precompile target)
  if(CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} PRIVATE <algorithm> <cassert> <chrono> <cmath> <filesystem> <fstream> <functional>
                              <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string>
                              <string_view> <thread> <unordered_map> <variant> <vector> ${ARGN})
    oddsbound_keep_precompiled(${target})
  endif()
endfunction()

# The same for a target that is compiled with the options and definitions of another target with precompiled headers.
function(oddsbound_precompiled_by target other)
  if(CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} REUSE_FROM ${other})
    oddsbound_keep_precompiled(${target})
  endif()
endfunction()

# Otherwise compilers and the compiler cache reject a precompiled header with another time stamp.
function(oddsbound_keep_precompiled target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                         $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()

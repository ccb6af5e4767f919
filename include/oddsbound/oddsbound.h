// The C++ interface of oddsbound: everything the command line does, as functions.
//
//   auto spec = oddsbound::read(oddsbound::File{"spec.json"});
//   if (!spec) return complain(spec.error().text());
//   const oddsbound::Report report = oddsbound::verify(*spec);
//   std::cout << *oddsbound::render(report, "text");
//
// No function below prints, exits, throws or keeps state between calls. An error in an input is returned as a value
// with its place. A result states what a limit left undecided; it is never guessed. Functions may be called from
// several threads. Only arithmetic throws: a std::runtime_error for 1/0, or a text that is not a number.
#pragma once

#include "oddsbound/interface.h"

// The interfaces of the modules that are built.
#if __has_include("oddsbound/design.h")
#include "oddsbound/design.h"
#endif
#if __has_include("oddsbound/releases.h")
#include "oddsbound/releases.h"
#endif

// Results and functions have a namespace of their own, because the library's sources have types of these names.
namespace oddsbound {
using namespace interface;
}

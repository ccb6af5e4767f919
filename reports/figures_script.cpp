#include "reports/figures_script.h"

#ifdef ODDSBOUND_FIGURES_SCRIPT

// The assembler takes a megabyte of script in at once; a string literal would take the compiler long.
__asm__(
    ".section .rodata\n"
    ".global oddsbound_figures_script_begin\n"
    ".global oddsbound_figures_script_end\n"
    "oddsbound_figures_script_begin:\n"
    ".incbin \"" ODDSBOUND_FIGURES_SCRIPT
    "\"\n"
    "oddsbound_figures_script_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" const char oddsbound_figures_script_begin[];
extern "C" const char oddsbound_figures_script_end[];

namespace oddsbound::reports {

std::string_view figures_script() { return {oddsbound_figures_script_begin, oddsbound_figures_script_end}; }

}  // namespace oddsbound::reports

#else

namespace oddsbound::reports {

std::string_view figures_script() { return {}; }

}  // namespace oddsbound::reports

#endif

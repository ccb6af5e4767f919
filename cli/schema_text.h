// The JSON Schema of spec files, built into the program.
#pragma once

namespace oddsbound {

const char* schema_text();

}  // namespace oddsbound

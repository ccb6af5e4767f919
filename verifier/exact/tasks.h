// Tasks (base/task.h) of whoever computes with Numbers.
#pragma once

#include <string>

#include "base/task.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// The outcome of a task: within the budget's scope, or without one by the calling thread alone.
Bytes run_task(const std::string& name, const Unit& unit, const Lead& lead, Budget& budget);

/// A name that stands for a question however long it is.
std::string task_name(const std::string& kind, const Bytes& question);

void pack(Packer& packer, const Number& number);
Number unpack_number(Unpacker& unpacker);

}  // namespace oddsbound::exact

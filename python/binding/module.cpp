// The Python module behind the package: the front door, as functions of texts and arrays. What Python programs see is
// in python/oddsbound.
#include "python/binding/calls.h"

PYBIND11_MODULE(_oddsbound, module) {
  using namespace oddsbound::python;
  bind_errors();
  bind_numbers(module);
  bind_specs(module);
  bind_runs(module);
  bind_data(module);
  bind_locks(module);
}

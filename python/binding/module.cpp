// The native module of the Python package: the public interface, as functions of texts and arrays. The Python API is
// in python/oddsbound.
#include "base/characters.h"
#include "base/files.h"
#include "python/binding/calls.h"
#include "verifier/notions/table.h"

PYBIND11_MODULE(_oddsbound, module) {
  using namespace oddsbound;
  using namespace oddsbound::python;
  bind_errors();
  bind_numbers(module);
  bind_specs(module);
  bind_runs(module);
  bind_data(module);
  bind_locks(module);
  // The notions that `analyze` measures: name, whether its levels are by coordinate, whether they depend on the prior.
  py::list measured;
  for (const Notion& notion : notion_table()) {
    const bool by_coordinate = notion.form == ClaimForm::kByCoordinate;
    if (notion.measure) measured.append(py::make_tuple(notion.name, by_coordinate, notion.needs_prior));
  }
  module.attr("measured_notions") = measured;
  // Bytes, because a Python string may contain what UTF-8 cannot encode.
  module.def("printable", [](const py::bytes& text) {
    const std::string_view view = text;
    return oddsbound::printable(view, view.size());
  });
  module.def("write_whole", [](const std::string& path, const std::string& text) {
    try {
      oddsbound::write_whole(path, text);
    } catch (const std::runtime_error& error) {
      PyErr_SetString(PyExc_OSError, error.what());
      throw py::error_already_set();
    }
  });
}

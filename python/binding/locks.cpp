// The privacy lock.
#include <pybind11/stl.h>

#include "python/binding/numbers.h"

namespace oddsbound::python {

namespace {

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

std::vector<std::pair<std::string, File>> files_of(const NamedFiles& named) {
  std::vector<std::pair<std::string, File>> files;
  for (const auto& [name, path] : named) files.emplace_back(name, File{path});
  return files;
}

Lock write_lock(const NamedFiles& specs, const Limits& limits, py::object progress) {
  return call(limits, std::move(progress), [&](const Context& context) { return lock(files_of(specs), context); });
}

Lock lock_of_text(const std::string& text, const std::string& name) {
  return call(Limits(), py::none(), [&](const Context& context) { return read_lock(Text{text, name}, context); });
}

// What a check found, as (outcome, suite, title, message), with the exit status.
py::tuple check_lock(const Lock& locked, const NamedFiles& specs, bool strict, const Limits& limits,
                     py::object progress) {
  const Checks checks = Call(limits, std::move(progress)).run([&](const Context& context) {
    return check(locked, files_of(specs), strict, context);
  });
  py::list found;
  for (const Check& one : checks.list) {
    found.append(py::make_tuple(outcome_word(one.outcome), one.suite, one.title, one.message));
  }
  return py::make_tuple(found, checks.exit_status);
}

std::vector<std::string> accept_changes(Lock& locked, const NamedFiles& specs, const std::string& reason,
                                        const Limits& limits, py::object progress) {
  return call(limits, std::move(progress),
              [&](const Context& context) { return accept(locked, measure(files_of(specs), {}, context), reason); });
}

py::dict levels_of(const Lock& locked) {
  py::dict levels;
  for (const auto& [name, spec] : locked.specs) levels[py::str(name)] = spec.levels;
  return levels;
}

}  // namespace

void bind_locks(py::module_& module) {
  py::class_<Lock>(module, "Lock")
      .def_readwrite("paths", &Lock::paths)
      .def_property_readonly("levels", &levels_of)
      .def("check", &check_lock)
      .def("accept", &accept_changes)
      .def("__str__", &lock_text);
  module.def("write_lock", &write_lock);
  module.def("read_lock", &lock_of_text);
}

}  // namespace oddsbound::python

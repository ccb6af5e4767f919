// Bindings of the privacy lock.
#include <pybind11/stl.h>

#include <algorithm>

#include "python/binding/numbers.h"

namespace oddsbound::python {

namespace {

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

std::vector<std::pair<std::string, File>> files_of(const NamedFiles& named) {
  std::vector<std::pair<std::string, File>> files;
  for (const auto& [name, path] : named) files.emplace_back(name, File{path});
  return files;
}

PromiseOptions promises(const py::object& headroom, bool tighten = false) { return {share_from(headroom), tighten}; }

Lock write_lock(const NamedFiles& specs, const py::object& headroom, const Limits& limits, py::object progress) {
  const PromiseOptions options = promises(headroom);
  return call(limits, std::move(progress),
              [&](const Context& context) { return lock(files_of(specs), context, options); });
}

Lock lock_of_text(const std::string& text, const std::string& name) {
  return call(Limits(), py::none(), [&](const Context& context) { return read_lock(Text{text, name}, context); });
}

// The findings of a check as (outcome, suite, title, message), with the exit status.
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

// Measures the specs, and lists the locked ones that are not among them.
MeasuredSpecs present(const Lock& locked, const NamedFiles& specs, const Context& context) {
  MeasuredSpecs now = measure(files_of(specs), {}, context);
  for (const auto& [name, spec] : locked.specs) {
    const auto is_named = [&](const auto& one) { return one.first == name; };
    if (std::none_of(specs.begin(), specs.end(), is_named)) now.missing.push_back(name);
  }
  return now;
}

std::vector<std::string> accept_changes(Lock& locked, const NamedFiles& specs, const std::string& reason,
                                        const py::object& headroom, const Limits& limits, py::object progress) {
  const PromiseOptions options = promises(headroom);
  return call(limits, std::move(progress), [&](const Context& context) {
    return accept(locked, measure(files_of(specs), {}, context), reason, options);
  });
}

void renew_lock(Lock& locked, const NamedFiles& specs, const py::object& headroom, bool tighten, const Limits& limits,
                py::object progress) {
  const PromiseOptions options = promises(headroom, tighten);
  const auto error = Call(limits, std::move(progress)).run([&](const Context& context) {
    return renew(locked, measure(files_of(specs), {}, context), options);
  });
  if (error) raise(*error);
}

void upgrade_lock(Lock& locked, const NamedFiles& specs, const std::string& reason, const Limits& limits,
                  py::object progress) {
  const auto error = Call(limits, std::move(progress)).run([&](const Context& context) {
    return upgrade(locked, present(locked, specs, context), reason);
  });
  if (error) raise(*error);
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
      .def("renew", &renew_lock)
      .def("upgrade", &upgrade_lock)
      .def_readonly("format", &Lock::format)
      .def("__str__", &lock_text);
  module.def("write_lock", &write_lock);
  module.def("read_lock", &lock_of_text);
}

}  // namespace oddsbound::python

// The native module of the Python package: the public interface, as functions of texts and arrays. The Python API is
// in python/oddsbound.
#include "python/binding/module.h"

#include <chrono>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "base/characters.h"
#include "base/errors.h"
#include "base/files.h"
#include "mechanisms/family.h"
#include "verifier/notions/table.h"

namespace oddsbound::python {

namespace {

py::object error_type(const char* name) { return py::module_::import("oddsbound._errors").attr(name); }

void set_error(const char* type, const std::exception& error) {
  PyErr_SetString(error_type(type).ptr(), printable_lines(error.what()).c_str());
}

}  // namespace

Call::Call(const Limits& limits, py::object progress) : progress_(std::move(progress)) {
  context_.limits = limits;
  context_.limits.stop = stop_.get_token();
  if (progress_.is_none()) return;
  context_.progress = [this](std::uint64_t done, std::uint64_t of, const std::string& at) {
    const std::lock_guard lock(mutex_);
    told_ = {done, of, at};
  };
}

void Call::run_beside(const std::function<void()>& work) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(50);
  std::binary_semaphore ended(0);
  std::thread worker([&] {
    work();
    ended.release();
  });
  for (bool over = false; !over;) {
    {
      const py::gil_scoped_release others;
      over = ended.try_acquire_for(kBetweenLooks);
      if (over) worker.join();
    }
    if (!over) listen();
  }
  if (!raised_) tell_progress();
  if (raised_) throw *std::exchange(raised_, std::nullopt);
}

void Call::listen() {
  if (PyErr_CheckSignals() != 0) {
    end_with(py::error_already_set());
    // Python code within the work does not check for a stop.
    if (python_thread_ != 0) PyThreadState_SetAsyncExc(python_thread_, PyExc_KeyboardInterrupt);
  }
  if (!raised_) tell_progress();
}

void Call::tell_progress() {
  std::optional<Told> told;
  {
    const std::lock_guard lock(mutex_);
    told.swap(told_);
  }
  if (!told) return;
  try {
    progress_(told->done, told->of, told->at);
  } catch (py::error_already_set& error) {
    end_with(std::move(error));
  }
}

void Call::end_with(py::error_already_set error) {
  if (!raised_) raised_.emplace(std::move(error));
  stop_.request_stop();
}

void Call::run_python(const std::function<void()>& code) {
  const py::gil_scoped_acquire gil;
  if (raised_) throw std::runtime_error("Python raised an exception");
  python_thread_ = PyThread_get_thread_ident();
  try {
    code();
    python_thread_ = 0;
  } catch (py::error_already_set& error) {
    python_thread_ = 0;
    end_with(std::move(error));
    throw std::runtime_error("Python raised an exception");
  } catch (...) {
    python_thread_ = 0;
    throw;
  }
}

void raise(const FileError& error) {
  const py::object type = error_type(error.limit || error.stopped ? "LimitError" : "SpecError");
  const SourcePlace& place = error.place;
  const py::object value =
      type(error.text(), place.file, place.line, place.column, place.pointer, error.message, error.hint);
  PyErr_SetObject(type.ptr(), value.ptr());
  throw py::error_already_set();
}

namespace {

// The families of mechanisms: name, summary, source, and for every parameter its name, kind, whether it is required,
// description and words.
py::list listed_families() {
  py::list listed;
  for (const mechanisms::Family& family : mechanisms::families()) {
    py::list parameters;
    for (const Field& one : family.parameters) {
      py::list words;
      for (const std::string& word : one.words) words.append(word);
      parameters.append(
          py::make_tuple(one.name, mechanisms::kind_words(one.kind), one.required, one.description, words));
    }
    listed.append(py::make_tuple(family.name, family.summary, family.source, parameters));
  }
  return listed;
}

}  // namespace

void bind_errors() {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the type of pybind11's translators
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const NumberError& error) {
      set_error("NumberError", error);
    } catch (const ModelError& error) {
      set_error("SpecError", error);
    } catch (const SpecError& error) {
      set_error("SpecError", error);
    } catch (const LimitError& error) {
      set_error("LimitError", error);
    }
  });
}

}  // namespace oddsbound::python

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
  module.attr("version") = ODDSBOUND_VERSION;
  module.def("families", &listed_families);
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

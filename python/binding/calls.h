// Calls into the library: without the GIL, in a thread of their own, while the caller's thread listens to Ctrl-C and
// tells how far the work is. Python handles signals in its main thread alone, and only while that runs Python.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "oddsbound/oddsbound.h"

namespace oddsbound::python {

namespace py = pybind11;

class Call {
 public:
  /// progress: called with what is done, of what, and at what; or None.
  Call(const Limits& limits, py::object progress);

  /// What `work` returns of a context. Throws what it throws; what Python raised meanwhile comes before all else.
  template <typename Work>
  auto run(Work work) {
    std::optional<decltype(work(context_))> result;
    std::exception_ptr failure;
    run_beside([&] {
      try {
        result.emplace(work(context_));
      } catch (...) {
        failure = std::current_exception();
      }
    });
    if (failure) std::rethrow_exception(failure);
    return *std::move(result);
  }

  /// Runs Python code within the work, with the GIL. What it raises ends the call; here that is a std::exception.
  void run_python(const std::function<void()>& code);

 private:
  void run_beside(const std::function<void()>& work);
  void listen();
  void tell_progress();
  void end_with(py::error_already_set error);

  py::object progress_;
  Context context_;
  std::stop_source stop_;
  std::optional<py::error_already_set> raised_;
  unsigned long python_thread_ = 0;  // that runs Python code within the work; 0: none does. Guarded by the GIL

  struct Told {
    std::uint64_t done, of;
    std::string at;
  };
  std::mutex mutex_;  // guards told_
  std::optional<Told> told_;
};

/// Raises SpecError, or LimitError where nothing is wrong with the file.
[[noreturn]] void raise(const FileError& error);

template <typename Value>
Value value_or_raise(Expected<Value> value) {
  if (!value) raise(value.error());
  return *std::move(value);
}

/// What is called: `work` of a context, whose error is raised.
template <typename Work>
auto call(const Limits& limits, py::object progress, Work work) {
  return value_or_raise(Call(limits, std::move(progress)).run(work));
}

/// How errors of exact numbers and of models become Python's.
void bind_errors();
void bind_numbers(py::module_& module);
void bind_specs(py::module_& module);
void bind_runs(py::module_& module);
void bind_data(py::module_& module);
void bind_locks(py::module_& module);

}  // namespace oddsbound::python

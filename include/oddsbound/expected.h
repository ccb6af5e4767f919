// A value, or the error of the file or text it should have come from.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "reports/environment.h"

namespace oddsbound {

template <typename T>
class [[nodiscard]] Expected {
 public:
  // Implicit, so that functions can return either.
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Expected(FileError error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  /// The value. Precondition: there is one.
  T& operator*() {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  /// The error, with its place. Precondition: there is no value.
  const FileError& error() const {
    assert(!*this);
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, FileError> state_;
};

}  // namespace oddsbound

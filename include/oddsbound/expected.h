// A value, or what is wrong with the file or text that it should have come from.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "reports/environment.h"

namespace oddsbound {

template <typename T>
class [[nodiscard]] Expected {
 public:
  // Both are what functions return.
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Expected(FileError error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  /// The value; only if there is one.
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
  /// What is wrong, with its place; only if there is no value.
  const FileError& error() const {
    assert(!*this);
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, FileError> state_;
};

}  // namespace oddsbound

// A value that is either stored or recomputed at each access. Witnesses of 30,000 coordinates hold two full inputs
// each; stored together they would take gigabytes.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace oddsbound {

template <typename T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(T value) : kept_(std::make_shared<const T>(std::move(value))) {}

  /// make() must return the same value each time. The Lazy and all its copies own it.
  static Lazy made_by(std::function<T()> make) {
    Lazy lazy;
    lazy.make_ = std::move(make);
    return lazy;
  }

  bool is_kept() const { return !make_; }

  /// Returns the stored value; null if there is none, so that get() computes it or returns T{}.
  const T* kept() const { return kept_.get(); }

  T get() const { return make_ ? make_() : kept_ ? *kept_ : T{}; }

  /// Returns form(value): stored if this value is, otherwise recomputed at each access.
  template <typename Form>
  auto mapped(Form form) const -> Lazy<decltype(form(std::declval<T>()))> {
    using Other = decltype(form(std::declval<T>()));
    if (!make_) return form(get());
    return Lazy<Other>::made_by([make = make_, form = std::move(form)] { return form(make()); });
  }

  /// Applies change(value) to the stored value, or to every value computed from now on.
  template <typename Change>
  void update(Change change) {
    if (make_) {
      make_ = [make = std::move(make_), change = std::move(change)] {
        T value = make();
        change(value);
        return value;
      };
      return;
    }
    T value = get();
    change(value);
    kept_ = std::make_shared<const T>(std::move(value));
  }

 private:
  std::shared_ptr<const T> kept_;
  std::function<T()> make_;
};

}  // namespace oddsbound

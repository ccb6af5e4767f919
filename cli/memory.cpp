// Arrays are checked against the memory limit before they are made: once they are filled, it is too late. This belongs
// to the program, not to the library, for it holds for everything in the process.
#include <cstdlib>
#include <new>

#include "base/budget.h"
#include "base/sanitizer.h"

// The address sanitizer brings its own.
#ifndef ODDSBOUND_ADDRESS_SANITIZER

namespace {

constexpr std::size_t kLarge = std::size_t{1} << 20;

}  // namespace

// Throws a LimitError where a plain one would throw bad_alloc: whoever can do without the memory is told which limit it
// was.
void* operator new(std::size_t size) {
  using oddsbound::Budget;
  if (size >= kLarge && Budget::current() != nullptr) Budget::current()->require_memory(size);
  for (;;) {
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif

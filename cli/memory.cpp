// Global operator new that checks large arrays against the memory limit before they are allocated: once they are
// filled, it is too late. Part of the program, not of the library, because it affects the whole process.
#include <cstdlib>
#include <new>

#include "base/budget.h"

// The address sanitizer has its own allocator.
#ifndef ODDSBOUND_ADDRESS_SANITIZER

namespace {

constexpr std::size_t kLarge = std::size_t{1} << 20;

}  // namespace

// For sizes from 1 MiB on, throws a LimitError that names the limit before bad_alloc could occur: callers that can
// do without the memory learn which limit it was.
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

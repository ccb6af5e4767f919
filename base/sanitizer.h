// Whether the address sanitizer is compiled in, by GCC or by Clang: it needs address space without bound, and an
// allocator of its own.
#pragma once

#include "base/namespaces.h"

#if defined(__SANITIZE_ADDRESS__)
#define ODDSBOUND_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ODDSBOUND_ADDRESS_SANITIZER
#endif
#endif

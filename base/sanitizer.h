// Defines ODDSBOUND_ADDRESS_SANITIZER if GCC or Clang compiles with the address sanitizer. The sanitizer needs
// unlimited address space and its own allocator.
#pragma once

#include "base/namespaces.h"

#if defined(__SANITIZE_ADDRESS__)
#define ODDSBOUND_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ODDSBOUND_ADDRESS_SANITIZER
#endif
#endif

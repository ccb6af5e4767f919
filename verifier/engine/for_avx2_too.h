// Compiles a function with loops over doubles also for AVX2, chosen when the program starts. Results are the same bits:
// not for "fma", because a product that is not rounded before it is added would give other digits on other processors.
// Not under the thread sanitizer, which is not ready yet when the loader chooses, and ends the program.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_THREAD__)
#define ODDSBOUND_FOR_AVX2_TOO __attribute__((target_clones("default", "avx2")))
#else
#define ODDSBOUND_FOR_AVX2_TOO
#endif

// Which instructions the processor has. Hot code is compiled more than once, each time in a namespace of its
// own, and chosen as the program runs.
#pragma once

#include <cstdint>  // says which C library it is

// The namespace of what is compiled for one kind of processor; the build sets it for the better kinds.
#ifndef BIDLAB_PROCESSOR
#define BIDLAB_PROCESSOR baseline
#endif

// Before a function with loops that a compiler can widen: it is compiled once more for processors that work
// on 32 bytes at once, and the better one is chosen as the library is loaded, where compiler and loader can
// do that. What it calls comes along only where it is inlined. Sums and products stay apart: AVX2 by itself
// has no instruction that would round them together, so that numbers come out alike on every processor.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__AVX2__) && \
    (defined(__clang__) ? __clang_major__ >= 16 : defined(__GNUC__))
#define BIDLAB_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define BIDLAB_WIDE
#endif

namespace bidlab {

// Processors since about 2013: count bits in one instruction and work on 32 bytes at once. False where the
// code for them was not compiled.
bool has_x86_64_v3();

// The best kind of code that runs here: "baseline" or "x86-64-v3".
const char* processor_kind();

}  // namespace bidlab

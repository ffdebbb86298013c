// Which instructions the processor has. Hot code is compiled more than once, each time in a namespace of its
// own, and chosen as the program runs.
#pragma once

// The namespace of what is compiled for one kind of processor; the build sets it for the better kinds.
#ifndef BIDLAB_PROCESSOR
#define BIDLAB_PROCESSOR baseline
#endif

namespace bidlab {

// Processors since about 2013: count bits in one instruction and work on 32 bytes at once. False where the
// code for them was not compiled.
bool has_x86_64_v3();

// The best kind of code that runs here: "baseline" or "x86-64-v3".
const char* processor_kind();

}  // namespace bidlab

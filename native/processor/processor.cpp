#include "processor/processor.hpp"

namespace bidlab {

bool has_x86_64_v3() {
#ifdef BIDLAB_HAS_X86_64_V3
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

const char* processor_kind() { return has_x86_64_v3() ? "x86-64-v3" : "baseline"; }

}  // namespace bidlab

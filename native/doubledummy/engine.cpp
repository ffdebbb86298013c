#include "doubledummy/engine.hpp"

namespace bidlab::doubledummy {

namespace baseline {
std::unique_ptr<Engine> make_search(std::size_t limit_bytes);
}
#ifdef BIDLAB_HAS_X86_64_V3
namespace x86_64_v3 {
std::unique_ptr<Engine> make_search(std::size_t limit_bytes);
}
#endif

namespace {

// Processors since about 2013: count bits and find the first of them in one instruction.
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

}  // namespace

std::unique_ptr<Engine> make_engine(std::size_t limit_bytes) {
#ifdef BIDLAB_HAS_X86_64_V3
    if (has_x86_64_v3()) return x86_64_v3::make_search(limit_bytes);
#endif
    return baseline::make_search(limit_bytes);
}

const char* processor_kind() { return has_x86_64_v3() ? "x86-64-v3" : "baseline"; }

}  // namespace bidlab::doubledummy

#include "doubledummy/engine.hpp"

#include "processor/processor.hpp"

namespace bidlab::doubledummy {

namespace baseline {
std::unique_ptr<Engine> make_search(std::size_t limit_bytes);
}
#ifdef BIDLAB_HAS_X86_64_V3
namespace x86_64_v3 {
std::unique_ptr<Engine> make_search(std::size_t limit_bytes);
}
#endif

std::unique_ptr<Engine> make_engine(std::size_t limit_bytes) {
#ifdef BIDLAB_HAS_X86_64_V3
    if (has_x86_64_v3()) return x86_64_v3::make_search(limit_bytes);
#endif
    return baseline::make_search(limit_bytes);
}

}  // namespace bidlab::doubledummy

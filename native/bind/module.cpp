// The only binding code: numpy arrays in and out, the GIL released while a kernel runs.
#include "bind/bind.hpp"

NB_MODULE(_native, m) {
    m.doc() = "Native kernels of bidlab: batches in, arrays out.";
    // Conditions that a cache holds until the interpreter ends are no leak.
    nanobind::set_leak_warnings(false);
    bind_bidding(m);
    bind_condition(m);
    bind_dealing(m);
    bind_doubledummy(m);
    bind_meaning(m);
    bind_network(m);
    bind_tournament(m);
    bind_webb(m);
    bind_webb_reading(m);
    bind_climbing(m);
}

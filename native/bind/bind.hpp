// The parts of the module, one for each layer that has kernels.
#pragma once

#include <nanobind/nanobind.h>

void bind_bidding(nanobind::module_& m);
void bind_condition(nanobind::module_& m);
void bind_dealing(nanobind::module_& m);
void bind_doubledummy(nanobind::module_& m);
void bind_meaning(nanobind::module_& m);
void bind_network(nanobind::module_& m);
void bind_tournament(nanobind::module_& m);
void bind_webb(nanobind::module_& m);
void bind_webb_reading(nanobind::module_& m);
void bind_climbing(nanobind::module_& m);

// Arrays from Python, and arrays for it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>

template <typename Number, int... Shape>
using Array =
    nanobind::ndarray<const Number, nanobind::shape<Shape...>, nanobind::c_contig, nanobind::device::cpu>;

// An array that Python owns.
template <typename Number, typename... Sizes>
nanobind::object owned(std::unique_ptr<Number[]> numbers, Sizes... sizes) {
    Number* raw = numbers.release();
    nanobind::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nanobind::cast(
        nanobind::ndarray<nanobind::numpy, Number>(raw, {static_cast<std::size_t>(sizes)...}, owner));
}

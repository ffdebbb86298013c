// A batch that Python can interrupt.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>

// Runs a batch without the GIL. It is taken now and then to hear an interruption and to tell the progress; an
// exception of either stops the batch and is raised.
template <typename Run>
void watched(const nanobind::object& progress, const Run& run) {
    bool raised = false;
    const std::function<bool(std::size_t)> watch = [&](std::size_t done) {
        const nanobind::gil_scoped_acquire acquired;
        if (raised) return false;
        raised = PyErr_CheckSignals() != 0;
        if (!raised && !progress.is_none()) {
            PyObject* result = PyObject_CallFunction(progress.ptr(), "n", static_cast<Py_ssize_t>(done));
            raised = !result;
            Py_XDECREF(result);
        }
        return !raised;
    };
    {
        const nanobind::gil_scoped_release released;
        run(watch);
    }
    if (raised) throw nanobind::python_error();
}

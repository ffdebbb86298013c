// A batch of independent items on several threads, which can be watched and stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bidlab {

// Is told now and then, on the calling thread, how much is done; false stops the batch.
using Watch = std::function<bool(std::size_t done)>;

// The number of threads that was asked for; 0 asks for one a core.
inline std::size_t thread_count(int asked) {
    return asked > 0 ? static_cast<std::size_t>(asked) : std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(worker, item, stop) for every item. Each thread takes the next portion until none is left, so
// that hard items do not hold up the others; the calling thread only watches. False when it was stopped; what
// a worker throws stops the others and is thrown on.
template <typename Work>
bool run_batch(std::size_t count, std::size_t portion, std::size_t threads, const Watch& watch,
               const Work& work) {
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> next{0}, done{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::exception_ptr failure;
    std::size_t running = std::min((count + portion - 1) / portion, threads);

    const auto labour = [&](std::size_t worker) {
        try {
            for (std::size_t begin; !stop && (begin = next.fetch_add(portion)) < count;)
                for (std::size_t i = begin; !stop && i < std::min(begin + portion, count); ++i, ++done)
                    work(worker, i, stop);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        --running;
        changed.notify_all();
    };

    std::vector<std::jthread> workers;
    for (std::size_t i = 0, most = running; i < most; ++i) workers.emplace_back(labour, i);
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
        lock.unlock();
        if (!watch(done)) stop = true;
        lock.lock();
    }
    lock.unlock();
    workers.clear();
    if (failure) std::rethrow_exception(failure);
    return !stop && watch(done);
}

}  // namespace bidlab

// Threads that share many small batches in a row: too short to start threads for, or to sleep between.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace bidlab {

// Items are claimed by number. Whoever has claimed one below the count works on it; a batch is over when as
// many are done as there are items, so that a thread which comes late finds the next batch, never a mixture
// of two. The calling thread works too.
template <typename Work>
class Crew {
   public:
    // work(worker, item) must not throw. `count` items are in every batch.
    Crew(std::size_t threads, std::size_t count, const Work& work)
        : count_(count), next_(count), work_(work) {
        for (std::size_t worker = 1; worker < threads; ++worker)
            others_.emplace_back([this, worker](const std::stop_token& stop) {
                for (std::size_t idle = 0; !stop.stop_requested();) idle = labour(worker) ? 0 : rest(idle);
            });
    }

    // Works through one batch; what was written before is seen by all threads, and theirs afterwards.
    void run() {
        done_.store(0, std::memory_order_relaxed);
        next_.store(0, std::memory_order_release);
        labour(0);
        for (std::size_t idle = 0; done_.load(std::memory_order_acquire) < count_;) idle = rest(idle);
    }

   private:
    bool labour(std::size_t worker) {
        bool has_worked = false;
        while (next_.load(std::memory_order_acquire) < count_) {
            const std::size_t item = next_.fetch_add(1, std::memory_order_acq_rel);
            if (item >= count_) break;
            work_(worker, item);
            done_.fetch_add(1, std::memory_order_acq_rel);
            has_worked = true;
        }
        return has_worked;
    }

    // Waiting is a matter of microseconds, unless other programs have the processor: then they shall get on.
    static std::size_t rest(std::size_t idle) {
        constexpr std::size_t patience = 200;
        if (idle < patience)
            pause();
        else
            std::this_thread::yield();
        return idle + 1;
    }

    static void pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }

    std::size_t count_;
    alignas(64) std::atomic<std::size_t> next_;
    alignas(64) std::atomic<std::size_t> done_{0};
    alignas(64) Work work_;
    std::vector<std::jthread> others_;  // last, so that they have stopped before the rest goes
};

}  // namespace bidlab

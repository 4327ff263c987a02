// What ThreadSanitizer is told, where its runtime was preloaded: the emulated threads of a launch are threads of their own,
// ordered by what orders them on a GPU and by nothing else. So it reports two accesses that only the turns of the scheduler
// have kept apart, however far apart they were. Without that runtime nothing is done here. Kernels must be instrumented.
//
// What orders, and what does not:
//
// - The start and the end of a launch; `__syncthreads` the threads of a block; `__syncwarp` the lanes of its mask. Shuffles and
//   votes order nothing.
// - Strong accesses (atomic operations, accesses by `volatile`) are relaxed: they race with none of their kind, and order
//   nothing by themselves.
// - `__threadfence` is PTX's fence.sc: all fences are in one order, and the earlier one synchronizes with the later one. But
//   which one is earlier may be the luck of the schedule. It is not if, behind the first fence, something was written that
//   a strong access has read before the second one: the other order would be a circle. That holds through barriers too,
//   where one thread draws the ticket for its block and all threads fence. So each word knows the fences behind which it
//   was written, and a fence makes up for those that its thread, or one that it has met since, has seen.
//   Too strong would be one object for all fences, acquired and released by each in the order in which they happen to run:
//   what is published too early is then missed whenever some other fence came in between. Too weak would be C++'s rule,
//   that fence and access are of the same thread: it reports each fold that is left to the last of several blocks.
//
// What cannot be seen is the order of strong accesses among themselves: fences between them may be missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace emulated {

struct Thread;

/// Whether ThreadSanitizer's runtime is there.
bool watched();

/// Fences by their numbers, the last one of each thread, in the order of threads. What one is behind is not among them.
using Fences = std::vector<std::pair<const Thread*, uint32_t>>;

/// The fences that a thread knows of.
struct Knowledge {
    Fences behind;  ///< of what has happened before, for this thread
    Fences seen;    ///< with words that were read; what is before them has not happened yet for this thread
    void join(const Knowledge& other);
};

/// A place where threads meet again and again. Two objects in turns: nobody arrives for the next but one meeting before all
/// have departed from this one.
class Meeting {
    uint64_t objects[2] = {};
    uint32_t turn = 0;

public:
    /// What comes before is told; departing with the result, a thread learns what all have told.
    void* arrive();
    static void depart(void* object);
    /// All have arrived, of these threads those in lanes that the mask names: they know the same from now on.
    void complete(Thread* threads, size_t count, uint32_t mask);
};

/// The running fiber's view of memory, and a new one's; null where nobody watches.
void* current_view();
void* new_view();
/// To be called right before stacks are swapped.
void switch_view(void* view);

/// Around a launch, in the scheduler; and around each thread of it.
void launch_begins();
void launch_ends();
void thread_begins();
void thread_ends();

/// `__threadfence` by this thread.
void fence(Thread& thread);

/// A strong access by this thread, at the moment when it happens; `caller` is where it stands in the kernel.
void strong_access(Thread& thread, const void* address, size_t bytes, int kind, void* caller);

}  // namespace emulated

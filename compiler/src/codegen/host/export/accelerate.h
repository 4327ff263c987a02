/* What all headers of `accelerate` share: devices, arrays, errors. */
#ifndef ACCELERATE_H
#define ACCELERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What calls return. After anything else than ACCELERATE_OK, accelerate_last_error() says more, and results that are arrays
   are null pointers. */
enum accelerate_status {
    ACCELERATE_OK = 0,
    /* A null pointer, or an array of the wrong type or rank. */
    ACCELERATE_ARGUMENT = 1,
    /* A failed check of a function without arrays, or a fault of the library. */
    ACCELERATE_PANIC = 2,
    ACCELERATE_SHAPE_MISMATCH = 3,
    ACCELERATE_OUT_OF_BOUNDS = 4,
    ACCELERATE_DIVISION_BY_ZERO = 5,
    ACCELERATE_EMPTY_REDUCTION = 6,
    ACCELERATE_SEGMENT_MISMATCH = 7,
    ACCELERATE_INDIVISIBLE = 8,
    ACCELERATE_ASSERTION_FAILED = 9,
    ACCELERATE_OUT_OF_MEMORY = 10,
    ACCELERATE_NO_DEVICE = 11,
    ACCELERATE_WRONG_DEVICE = 12,
    ACCELERATE_CUDA = 13,
    ACCELERATE_NOT_BUILT = 14
};

/* The text of the last error of this thread, empty before the first. It lives until the next error of the thread. */
const char *accelerate_last_error(void);

/* The CPU or a GPU. */
typedef struct accelerate_device accelerate_device;

/* Opens `cpu`, `cuda` or `cuda:1`; the best device there is for a null pointer. */
int accelerate_open(const char *name, accelerate_device **device);
/* Waits until the device has done everything that was queued. */
int accelerate_synchronize(const accelerate_device *device);
/* Gives a device back; arrays on it live on. A null pointer is nothing to give back. */
void accelerate_close(accelerate_device *device);

/* A row-major array on a device, which may be computed still. Errors of what computes it are found by the first
   accelerate_to_.. of it, or of an array that depends on it. Several threads may use one at once. */
typedef struct accelerate_array accelerate_array;

/* accelerate_from_f32 and the like make an array of `rank` axes with these extents, of values that are copied.
   accelerate_to_f32 and the like wait for an array, and copy its `count` values to `data`. A float of 16 bits is its bits. */
#define ACCELERATE_ELEMENT(name, type) \
    int accelerate_from_##name(const accelerate_device *device, const type *data, const size_t *shape, size_t rank, \
                               accelerate_array **array); \
    int accelerate_to_##name(const accelerate_array *array, type *data, size_t count);
ACCELERATE_ELEMENT(bool, bool)
ACCELERATE_ELEMENT(i8, int8_t)
ACCELERATE_ELEMENT(i16, int16_t)
ACCELERATE_ELEMENT(i32, int32_t)
ACCELERATE_ELEMENT(i64, int64_t)
ACCELERATE_ELEMENT(u8, uint8_t)
ACCELERATE_ELEMENT(u16, uint16_t)
ACCELERATE_ELEMENT(u32, uint32_t)
ACCELERATE_ELEMENT(u64, uint64_t)
ACCELERATE_ELEMENT(f16, uint16_t)
ACCELERATE_ELEMENT(bf16, uint16_t)
ACCELERATE_ELEMENT(f32, float)
ACCELERATE_ELEMENT(f64, double)
#undef ACCELERATE_ELEMENT

/* The number of axes, and the extent of each, outermost first; `rank` says how many `shape` has room for. */
int accelerate_rank(const accelerate_array *array, size_t *rank);
int accelerate_shape(const accelerate_array *array, size_t *shape, size_t rank);

/* Gives an array back, also one that a call has emptied. A null pointer is nothing to give back. */
void accelerate_free(accelerate_array *array);

#ifdef __cplusplus
}
#endif

#endif

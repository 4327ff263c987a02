/* Array programs called from C: arrays are made, computed with, read and given back, and errors are told. */
#include "accelerate-rs-from-c.h"
#include <stdio.h>
#include <stdlib.h>

/* Ends the program where a call fails. */
static void must(int status) {
    if (status != ACCELERATE_OK) {
        fprintf(stderr, "status %d: %s\n", status, accelerate_last_error());
        exit(1);
    }
}

/* Tells of a call that has to fail. The place in the source, which begins the text, is left out. */
static void fails(const char *call, int status) {
    const char *text = accelerate_last_error();
    for (const char *at = text; *at != 0; at++) {
        if (at[0] == ':' && at[1] == ' ') {
            text = at + 2;
            break;
        }
    }
    printf("%s: status %d: %s\n", call, status, text);
}

static void print(const char *name, const accelerate_array *array) {
    size_t count;
    double values[16];
    must(accelerate_shape(array, &count, 1));
    must(accelerate_to_f64(array, values, count));
    printf("%s:", name);
    for (size_t k = 0; k < count; k++) {
        printf(" %g", values[k]);
    }
    printf("\n");
}

int main(void) {
    accelerate_device *device;
    must(accelerate_open(NULL, &device));

    const double degrees[8] = {0, 0, 0, 64, 0, 0, 0, 0};
    const size_t eight = 8;
    accelerate_array *start, *rod, *taken;
    must(accelerate_from_f64(device, degrees, &eight, 1, &start));
    double mean, variance;
    must(statistics(device, start, &mean, &variance));
    printf("mean %g, variance %g\n", mean, variance);
    must(diffused(device, start, 2, 0.25, &rod));
    print("rod", rod);
    fails("diffused", diffused(device, start, 2, 0.25, &taken));

    const uint64_t at[3] = {3, 0, 9};
    const size_t two = 2, three = 3;
    accelerate_array *places;
    must(accelerate_from_u64(device, at, &two, 1, &places));
    must(picked(device, rod, places, &taken));
    print("picked", taken);
    accelerate_free(taken);
    accelerate_free(places);

    /* What a kernel finds is told by whoever reads the result. */
    double values[3];
    must(accelerate_from_u64(device, at, &three, 1, &places));
    must(picked(device, rod, places, &taken));
    fails("picked", accelerate_to_f64(taken, values, 3));
    accelerate_free(taken);

    const int32_t cells[6] = {4, 9, 2, 7, 1, 8};
    const size_t shape[2] = {2, 3};
    accelerate_array *matrix, *greatest, *columns;
    int32_t peak[2];
    uint64_t column[2];
    must(accelerate_from_i32(device, cells, shape, 2, &matrix));
    must(peaks(device, matrix, &greatest, &columns));
    must(accelerate_to_i32(greatest, peak, 2));
    must(accelerate_to_u64(columns, column, 2));
    printf("peaks: %d at %d, %d at %d\n", (int)peak[0], (int)column[0], (int)peak[1], (int)column[1]);

    uint32_t counts[4];
    accelerate_array *histogram;
    must(counted(device, columns, 4, &histogram));
    must(accelerate_to_u32(histogram, counts, 4));
    printf("counted: %d %d %d %d\n", (int)counts[0], (int)counts[1], (int)counts[2], (int)counts[3]);
    accelerate_free(histogram);

    fails("wrong type", statistics(device, places, &mean, &variance));
    fails("wrong rank", picked(device, rod, matrix, &taken));
    fails("no array", statistics(device, NULL, &mean, &variance));
    fails("no result", statistics(device, rod, NULL, &variance));
    fails("no device", statistics(NULL, rod, &mean, &variance));

    double warm;
    uint32_t letter;
    must(celsius(212, &warm));
    must(letter_after('x', 2, &letter));
    printf("celsius: %g, letter: %c\n", warm, (char)letter);
    fails("celsius", celsius(-500, &warm));
    fails("letter", letter_after(0xd800, 2, &letter));

    accelerate_free(matrix);
    accelerate_free(greatest);
    accelerate_free(columns);
    accelerate_free(places);
    accelerate_free(rod);
    accelerate_free(start);
    must(accelerate_synchronize(device));
    accelerate_close(device);
    return 0;
}

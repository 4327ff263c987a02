// A file of a foreign function that includes another one, which none may.
#include <math.h>

__device__ float including(float x) { return x; }

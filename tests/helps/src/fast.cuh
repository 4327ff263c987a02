// A function of scalars for devices.
__device__ float fast(float x) { return x; }

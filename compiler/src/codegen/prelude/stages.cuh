// Rows of stages.

// Two arrays of a row change names.
template <class T> INLINE void exchange(T*& a, T*& b)
{
    T* const first = a;
    a = b;
    b = first;
}

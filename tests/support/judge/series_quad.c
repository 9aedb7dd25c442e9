/* The third judge in numbers of 113 bits, where the compiler has them. */
#ifdef CAROM_HAVE_QUAD
#define SERIES_QUAD
#pragma GCC diagnostic ignored "-Wpedantic"
#include "series.c"
#else
typedef int no_quad;
#endif

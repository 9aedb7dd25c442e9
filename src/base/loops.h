/* Loops compiled for several widths of vectors, one of which is chosen at run time. Internal.
 *
 * Such loops are in a file of their own, in which WIDE(name) is the name for one width. A file that
 * uses them says
 *
 *     #define LOOPS "folder/name_loops.h"
 *     #include "base/loops.h"
 *     LOOP(name);
 *
 * and calls name[width](...). Contraction is off and no sum depends on the width, so that all give
 * the same bits. (What is included here is compiled three times: no guard.)
 */
#include "base/width.h"

#define WIDE_JOIN_PLAIN(name, bytes) name##_##bytes
#define WIDE_JOIN(name, bytes)       WIDE_JOIN_PLAIN(name, bytes)
#define WIDE(name)                   WIDE_JOIN(name, WIDE_BYTES)

#define WIDE_BYTES 16
#include LOOPS
#undef WIDE_BYTES

#ifdef CRM_WIDTHS

#define WIDE_BYTES 32
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#include LOOPS
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef WIDE_BYTES

#define WIDE_BYTES 64
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#include LOOPS
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef WIDE_BYTES

#define LOOP(name) static __typeof__(name##_16) *const name[] = {name##_16, name##_32, name##_64}

#else
#define LOOP(name) static __typeof__(name##_16) *const name[] = {name##_16, name##_16, name##_16}
#endif

/* Can vectors of several widths be compiled for, and be asked for at run time? Internal. */
#ifndef CRM_LZB_LANES_WIDTHS_H
#define CRM_LZB_LANES_WIDTHS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LANES_WIDTHS
#endif

/* The widest to ask for. */
#ifdef CAROM_VECTOR_BYTES /* see state/wide.h */
enum { LANES_WIDEST = CAROM_VECTOR_BYTES };
#else
enum { LANES_WIDEST = 64 };
#endif

#endif

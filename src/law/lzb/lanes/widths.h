/* Can vectors of several widths be compiled for, and be asked for at run time? Internal. */
#ifndef CRM_LZB_LANES_WIDTHS_H
#define CRM_LZB_LANES_WIDTHS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LANES_WIDTHS
#endif

#endif

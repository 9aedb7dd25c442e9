/* Settling in single precision (capturing/settle.h): on a line of contacts, substeps as those of
 * substep.h and mono.h, but of the third order (capturing/kernel/pack.h), and in few passes.
 * Internal.
 *
 * Settling asks whether bodies still separate, not where each is in its swing: substeps of a radian
 * leave errors of per cents, to which 1e-7 adds nothing. Momentum must be exact, and impulses see
 * to that: velocities follow from those of a step, in double precision.
 *
 * Times are in substeps, speeds in that of the motion, and D in its largest entry. So all numbers
 * are of the order of 1, however small the motion has become.
 */
#ifndef CRM_LZB_SINGLE_H
#define CRM_LZB_SINGLE_H

#include "law/lzb/capturing/kernel/substep.h"

/* Does single precision serve: a line with linear or Hertz' law, in which no contact swings so much
 * slower than another that its steps are lost in rounding?
 */
bool lzb_single_suits(const lzb_window *window);

/* As lzb_substeps_row with row 0, but without closing speeds and margins. speed: of the motion now;
 * full: that to which x_scale belongs.
 */
void lzb_single_substeps(lzb_window *window, const lzb_account *account, unsigned substeps,
                         double length, double speed, double full);

#endif

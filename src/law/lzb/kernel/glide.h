/* Coasting on a line of contacts (course/coast.h): substeps as those of kinks.h and jumps.h, but of
 * the third order (kernel/bundle.h), in single precision and few passes. Internal.
 *
 * Coasting asks whether balls still leave a group, not where each is in its swing: substeps of a
 * radian leave errors of per cents, to which 1e-7 adds nothing. What must be exact is momentum, and
 * that is seen to by impulses: velocities follow from those of a step, in double precision.
 *
 * Times are in substeps, speeds in that of the motion, and D in its largest entry. So all numbers
 * are of the order of 1, however small the motion has become.
 */
#ifndef CRM_LZB_GLIDE_H
#define CRM_LZB_GLIDE_H

#include "law/lzb/kernel/kinks.h"

/* Can the window be coasted like this: a line with linear or Hertz' law, in which no contact swings
 * so much slower than another that its steps are lost in rounding?
 */
bool lzb_glide_suits(const lzb_window *window);

/* As lzb_kinks_row with row 0, but without closing speeds and margins. speed: of the motion now;
 * full: what x_scale belongs to.
 */
void lzb_glide(lzb_window *window, const lzb_kinks *kinks, unsigned substeps, double length,
               double speed, double full);

#endif

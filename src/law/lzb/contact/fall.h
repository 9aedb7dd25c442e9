/* The expansion of a contact that gives next to nothing back, while others hold it. Internal.
 *
 * With bi-stiffness x' = c / e^2. Where others press it with f_0, c' = D (f_0 - F(x)), so that from
 * a turn at X to any x in the expansion
 *
 *     c^2 / 2 = e^2 D (E(X) - E(x) - f_0 (X - x)).
 *
 * It goes out until c is 0 again, or x is. As e goes to 0 this takes no time, f_0 stays as it is,
 * no impulse is given, and the contact falls to where
 *
 *     E(X) - E(x) = f_0 (X - x),
 *
 * from where it is pressed again; or it opens, if E(X) > f_0 X. With e > 0 the time, in which f_0
 * changes, is e times that of a swing, and what that does to others is a speed of the order of e
 * sqrt(2 D (E(X) - E(x))).
 */
#ifndef CRM_LZB_FALL_H
#define CRM_LZB_FALL_H

/* x/X with F = K x^exponent, held by the part f_0 / F(X) of its force. 0: it opens. */
double lzb_fall(double exponent, double held);

#endif

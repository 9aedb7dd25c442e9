/* Compression and expansion of one contact. Internal. */
#ifndef CRM_SINGLE_STRONGE_H
#define CRM_SINGLE_STRONGE_H

#include <stdbool.h>

typedef struct crm_stronge {
    double restitution;
    double closing; /* c; < 0: it opens */
    double work;    /* compression: stored; expansion: what is still to be returned */
    double lost;
    bool expands, ended;
    bool locked; /* neither closing nor pushed apart, with work in it: it does not end */
} crm_stronge;

/* c falls by `slope` per impulse. Follows for an impulse `most`, or until it ends; returns how far.
 */
double crm_stronge_follow(crm_stronge *stronge, double slope, double most);
/* c is 0 and begins to change its sign: from compression to expansion, or back. */
void crm_stronge_turn(crm_stronge *stronge);

#endif

/* The phases of the third judge's contacts, and what steps and events do to them. Internal: see
 * series.c.
 */
#ifndef CAROM_TEST_SERIES_PHASES_H
#define CAROM_TEST_SERIES_PHASES_H

#include "series_events.h"

/* What the contact has taken in since the phase began: c f dt is dE, or e^2 dE. */
static void book(const run *r, contact *k)
{
    real e = k->restitution, share = k->phase == EXPANDING && !r->mono ? e * e : (real)1;
    k->loss += share * (energy_at(k, k->x) - energy_at(k, k->since));
    k->since = k->x;
}

static void open_contact(const run *r, contact *k)
{
    if (k->open_at == 0 && k->restitution > 0) {
        k->x = 0; /* but for rounding it is */
    }
    book(r, k);
    k->phase = OPEN;
    k->x = k->since = k->open_at = 0;
}

static void turn(run *r, contact *k)
{
    real e = k->restitution;
    if (k->phase == OPEN) {
        k->phase = e == 1 ? ELASTIC : COMPRESSED;
        k->x = k->since = k->open_at = 0;
        return;
    }
    book(r, k);
    if (k->phase == EXPANDING) {
        k->phase = COMPRESSED;
    } else if (e == 0) {
        open_contact(r, k);
    } else {
        k->phase = EXPANDING;
        k->open_at = r->mono ? k->x * POWER(1 - e * e, 1 / (k->exponent + 1)) : (real)0;
    }
}

/* What a step has left on the wrong side; true if there was any. */
static bool settle(run *r)
{
    bool changed = false;
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        bool closing = k->c > r->band, parting = k->c < -r->band;
        if ((k->phase == COMPRESSED && parting) ||
            ((k->phase == EXPANDING || k->phase == OPEN) && closing)) {
            turn(r, k);
            r->events++;
            changed = true;
        } else if ((k->phase == EXPANDING || k->phase == ELASTIC) && k->x <= k->open_at &&
                   !closing && (k->phase == EXPANDING || parting)) {
            open_contact(r, k);
            r->events++;
            changed = true;
        }
    }
    return changed;
}

/* Its speed goes through 0 at the end of the step, too: to call it later than the one that was
 * found would change the outcome where a plastic contact turns, which gives up its force at once.
 */
static bool turns_as_well(const run *r, const contact *k, real h)
{
    if (k->phase == ELASTIC || SIZE_OF(k->c) > r->band) {
        return false;
    }
    real slope = 0;
    for (unsigned m = r->order; m > 0; m--) {
        slope = slope * h + m * k->cs[m];
    }
    return k->phase == COMPRESSED ? slope < 0 : slope > 0;
}

static void act(run *r, event e, real h)
{
    r->events++;
    if (e.opening) {
        open_contact(r, &r->contacts[e.contact]);
        return;
    }
    for (size_t j = 0; j < r->s; j++) {
        if (j == e.contact || turns_as_well(r, &r->contacts[j], h)) {
            turn(r, &r->contacts[j]);
        }
    }
}

static void renew_speeds(run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        k->c = k->start_c;
        for (size_t l = r->start[j]; l < r->start[j + 1]; l++) {
            size_t i = r->coupled[l];
            k->c -= r->d[j * r->s + i] * r->contacts[i].p;
        }
    }
}

static void advance(run *r, real h)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        if (k->phase != OPEN) {
            k->x = larger(value(k->xs, r->order, h), 0);
        }
        if (acts(k)) {
            real sum = 0;
            for (unsigned m = r->order; m-- > 0;) {
                sum = sum * h + k->fs[m] * r->per[m + 1];
            }
            k->p += sum * h;
        }
    }
    renew_speeds(r);
}

#endif

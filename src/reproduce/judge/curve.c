#include "reproduce/judge/curve.h"

#include <math.h>
#include <stdlib.h>

static bool add(crm_claim_curve *p, const crm_claim *claim, double x, double y)
{
    if (x < claim->from || x > claim->to) {
        return true;
    }
    double *grown_x = crm_memory_resize(p->x, p->count + 1, sizeof *p->x);
    p->x = grown_x != NULL ? grown_x : p->x;
    double *grown_y = crm_memory_resize(p->y, p->count + 1, sizeof *p->y);
    p->y = grown_y != NULL ? grown_y : p->y;
    if (grown_x == NULL || grown_y == NULL) {
        return false;
    }
    p->x[p->count] = x;
    p->y[p->count++] = y;
    return true;
}

static bool follow_list(const crm_record *record, const crm_claim *claim, crm_claim_curve *curve)
{
    const crm_point *point = crm_record_point(record, claim);
    double value;
    bool good = true;
    for (size_t i = 1; good && crm_record_entry(record, claim, point, i, &value); i++) {
        good = add(curve, claim, (double)i, value);
    }
    return good;
}

/* The first trouble is kept. */
static bool follow_parameter(const crm_record *record, const crm_claim *claim,
                             crm_claim_curve *curve, char *trouble, size_t size)
{
    const crm_item_variation *variation = &record->item->variation;
    size_t values = variation->count > 0 ? variation->count : 1;
    char later[sizeof((crm_finding *)0)->trouble];
    bool good = true;
    for (size_t i = 0; good && i < values; i++) {
        const crm_point *point = &record->points[claim->case_index * values + i];
        bool meant = isnan(claim->at) || point->parameter == claim->at;
        double x = variation->count > 0 ? point->parameter : 0;
        if (meant && x >= claim->from && x <= claim->to) {
            bool noted = trouble[0] != '\0';
            double y = crm_record_value(record, claim, point, noted ? later : trouble,
                                        noted ? sizeof later : size);
            good = add(curve, claim, x, y);
        }
    }
    return good;
}

bool crm_curve_collect(const crm_record *record, const crm_claim *claim, crm_claim_curve *curve,
                       char *trouble, size_t size)
{
    *curve = (crm_claim_curve){0};
    return claim->along ? follow_list(record, claim, curve)
                        : follow_parameter(record, claim, curve, trouble, size);
}

bool crm_curve_is_complete(const crm_claim_curve *curve)
{
    bool whole = true;
    for (size_t i = 0; i < curve->count; i++) {
        whole &= !isnan(curve->y[i]);
    }
    return whole;
}

void crm_curve_free(crm_claim_curve *curve)
{
    free(curve->x);
    free(curve->y);
    *curve = (crm_claim_curve){0};
}

/* What going along a path forwards and backwards have in common. */
#include "law/lzb/path/replay.h"

#include <string.h>

crm_status lzb_replay_step(lzb_trace *trace, size_t step, bool *changed, crm_error *error)
{
    lzb_path *path = &trace->path;
    lzb_band *band = &path->band;
    const lzb_path_step *at = &path->steps[step];
    const lzb_path_band *of = &path->bands[at->band];
    *changed = trace->loaded != at->band;
    if (*changed) {
        crm_status status = lzb_band_fill(band, path->members + of->first, path->modes + of->first,
                                          of->count, of->active, path->stiffness, error);
        trace->loaded = status == CRM_OK ? at->band : SIZE_MAX;
        if (status != CRM_OK) {
            return status;
        }
    }
    const double *state = path->states + at->state;
    memcpy(band->x0, state, of->active * sizeof *state);
    memcpy(band->c0, state + of->active, of->count * sizeof *state);
    lzb_leap_columns(band, at->length);
    return CRM_OK;
}

void lzb_replay_gather(lzb_trace *trace)
{
    const lzb_band *band = &trace->path.band;
    for (size_t i = 0; i < band->count; i++) {
        size_t j = band->member[i];
        trace->bx[i] = trace->x[j];
        trace->bc[i] = trace->c[j];
        trace->bp[i] = trace->p[j];
    }
}

lzb_spring lzb_replay_spring(const crm_model *model, size_t j, double x)
{
    double k = model->stiffness[j], eta = model->exponent[j];
    if (!(x > 0)) {
        return (lzb_spring){0};
    }
    lzb_spring s = {.force = lzb_contact_force(k, eta, x), .log_x = crm_log(x)};
    s.slope = eta * s.force / x;
    s.energy = s.force * x / (1 + eta);
    s.by_exponent = s.energy * (s.log_x - 1 / (1 + eta));
    return s;
}

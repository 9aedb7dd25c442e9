/* What going along a path forwards and backwards have in common. */
#include "law/lzb/derivative/replay.h"

bool lzb_replay_step(lzb_trace *trace, size_t number)
{
    const lzb_path *path = &trace->path;
    const lzb_path_step *step = &lzb_path_steps(path)[number];
    bool changed = trace->loaded != step->window;
    if (changed) {
        lzb_tangent_load_window(&trace->tangent, path, step->window);
        trace->loaded = step->window;
    }
    lzb_tangent_load_step(&trace->tangent, path, number, path->observer.logs);
    return changed;
}

void lzb_replay_gather(lzb_trace *trace)
{
    const lzb_tangent *tangent = &trace->tangent;
    for (size_t i = 0; i < tangent->count; i++) {
        size_t j = tangent->member[i];
        trace->bx[i] = trace->x[j];
        trace->bc[i] = trace->c[j];
        trace->bp[i] = trace->p[j];
    }
}

void lzb_replay_scatter(lzb_trace *trace)
{
    const lzb_tangent *tangent = &trace->tangent;
    for (size_t i = 0; i < tangent->count; i++) {
        size_t j = tangent->member[i];
        trace->c[j] = trace->bc[i];
        if (i < tangent->pressing) {
            trace->x[j] = trace->bx[i];
            trace->p[j] = trace->bp[i];
        }
    }
}

lzb_spring lzb_replay_spring(const crm_model *model, size_t j, double x)
{
    double k = model->stiffness[j], eta = model->exponent[j];
    if (!(x > 0)) {
        bool linear = eta == 1; /* which goes on below 0 in a step */
        return (lzb_spring){.force = linear ? k * x : 0, .slope = linear ? k : 0};
    }
    lzb_spring s = {.force = lzb_contact_force(k, eta, x), .log_x = crm_log(x)};
    s.slope = eta * s.force / x;
    s.energy = s.force * x / (1 + eta);
    s.by_exponent = s.energy * (s.log_x - 1 / (1 + eta));
    return s;
}

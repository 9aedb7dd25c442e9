/* Gathering a piece of a line: the loops of gather.c, for each width of vectors (base/loops.h). */

/* The same for a piece of a line, without looking anything up. A contact that is open has force 0,
 * so that its entries of D need not be taken out.
 */
static void WIDE(gather_piece)(const lzb_state *state, lzb_window *w)
{
    const crm_model *model = state->model;
    size_t first = w->contact[0], count = w->count;
    bool bi = state->stiffness_model == LZB_BI, shifted = false, whole = w->search.with_open;
    const lzb_fixed *to = &w->fixed;
    const lzb_trial *trial = &w->trial;
    const uint8_t *mode = state->mode + first;
    const double *x_open = state->x_open + first, *x_scale = state->x_scale + first;
    const double *restitution = state->restitution + first;
    const double *stiffness = model->stiffness + first, *exponent = model->exponent + first;
    const double *own = model->d_diagonal + first, *x = state->x + first, *c = state->c + first;
    for (size_t k = 0; k < count; k++) {
        to->stiffness[k] = stiffness[k];
        to->exponent[k] = exponent[k];
        to->per_power[k] = 1.0 / (1.0 + exponent[k]);
        to->offset[k] = whole ? 0 : x_open[k];
        to->scale[k] = x_scale[k];
        to->per_scale[k] = 1.0 / x_scale[k];
        to->own[k] = own[k];
        trial->x0[k] = whole ? x[k] + x_open[k] : x[k];
        trial->c0[k] = c[k];
        shifted |= to->offset[k] > 0;
    }
    double *rate = to->rate, *back = to->back; /* bytes may be written to anything */
    uint8_t *committed = w->members.committed, *edge = w->members.edge;
    uint32_t *place = w->members.place + first;
    for (size_t k = 0; k < count; k++) {
        bool eased = bi && mode[k] == LZB_EXPANDING;
        double square = restitution[k] * restitution[k];
        rate[k] = mode[k] == LZB_OPEN ? 0 : eased ? 1.0 / square : 1;
        back[k] = mode[k] == LZB_OPEN ? 0 : eased ? square : 1;
        committed[k] = edge[k] = false;
        place[k] = (uint32_t)k;
    }
    edge[0] = is_edge(state, w, (uint32_t)first);
    edge[count - 1] = is_edge(state, w, (uint32_t)(first + count - 1));
    w->members.edged = edge[0] || edge[count - 1];
    w->fixed.kind = shifted ? LZB_POWER : w->whole.kind;
    w->fixed.hertz = shifted && w->whole.kind == LZB_HERTZ;
}

/* The energy account: the loops of energy.c, for each width of vectors (base/loops.h). */

/* What the step just made gained: T1 - T0 = -sum p (c0 + c1)/2 exactly, as c1 = c0 - D p. */
static void WIDE(add_residual)(const lzb_window *w, size_t first, size_t end, double *restrict sum)
{
    for (size_t block = first; block < end; block++) {
        for (EACH(k)) {
            double taken = w->members.committed[k] ? 0 : lzb_window_energy_taken(w, k);
            sum[k % LZB_BLOCK] += taken - 0.5 * w->trial.p[k] * (w->trial.c0[k] + w->trial.c[k]);
        }
    }
}

/* The direction in which speeds (through impulses p) and indentations move, each on its own scale,
 * and the energy gained by going along it.
 */
static void WIDE(find_direction)(const lzb_window *w, size_t first, size_t end, double per_speed,
                                 double *restrict p, double *restrict x, double *restrict sum)
{
    for (size_t block = first; block < end; block++) {
        for (EACH(k)) {
            /* contacts whose errors weigh more (lzb_bonds_weigh) move less */
            double weighed = (1 + 1e-9) / w->fixed.per_scale[k], now = w->trial.x[k];
            double whole = weighed < w->fixed.scale[k] ? weighed : w->fixed.scale[k];
            double reach = w->fixed.offset[k] > 0 && now < whole ? now : whole;
            double scale = reach * per_speed, pressing = w->trial.f[k] * w->fixed.back[k];
            bool pressed =
                w->fixed.rate[k] > 0 && !w->members.committed[k] && (w->trial.x0[k] > 0 || now > 0);
            p[k] = pressed ? w->trial.c[k] / w->fixed.own[k] : 0;
            x[k] = pressed ? -pressing * w->fixed.own[k] * scale * scale : 0;
            sum[k % LZB_BLOCK] += p[k] * w->trial.c[k] - x[k] * pressing;
        }
    }
}

static void WIDE(go_along)(size_t blocks, double share, const double *restrict direction,
                           double *restrict x)
{
    for (size_t block = 0; block < blocks; block++) {
        for (EACH(k)) {
            x[k] += share * direction[k];
        }
    }
}

/* What changes for all contacts: the loops of commit.c, for each width of vectors (base/loops.h).
 */

/* What is the same for all contacts, of a piece of a line. */
static void WIDE(book_piece)(lzb_state *state, const lzb_window *w, size_t first, size_t end,
                             double tolerance)
{
    size_t shift = w->contact[0];
    double *c = state->c + shift, *p = state->p + shift, *remainder = state->remainder + shift;
    double *step_error = state->step_error + shift;
    const lzb_trial *trial = &w->trial;
#pragma GCC ivdep
    for (size_t k = first; k < end; k++) {
        c[k] = trial->c[k];
        crm_twofold sum = crm_two_sum(p[k], trial->p[k]);
        p[k] = sum.high;
        remainder[k] += sum.low;
        step_error[k] += trial->error[k] * tolerance;
    }
}

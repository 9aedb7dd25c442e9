/* The plastic projection on a line of contacts, in a few passes.
 *
 * There D has three diagonals, and where bodies follow each other in a row, entries off the main
 * one are not above 0 (what opens one gap closes the gaps beside it): an M-matrix. Then the
 * contacts that must press are found by taking in all that close, solving, and taking in those that
 * the solution makes close; none ever has to be let go (Chandrasekaran).
 */
#include "law/lzb/state/line.h"

#include <math.h>

enum { MOST_PASSES = 64 };

bool lzb_line_fits(const crm_model *model)
{
    size_t s = model->contacts;
    bool line = s > 0 && model->d_start[s] == 3 * s - 2;
    for (size_t j = 0; j < s && line; j++) {
        size_t first = j == 0 ? 0 : 3 * j - 1, before = j > 0;
        line = model->d_start[j] == first && (j == 0 || model->d_column[first] == j - 1) &&
               model->d_column[first + before] == j &&
               (j + 1 == s || model->d_column[first + before + 1] == j + 1);
    }
    return line;
}

static double below(const crm_model *model, size_t j)
{
    return j > 0 ? model->d_value[3 * j - 1] : 0;
}

static double above(const crm_model *model, size_t j)
{
    return j + 1 < model->contacts ? model->d_value[3 * j + 1] : 0;
}

static bool pushes_apart(const crm_model *model)
{
    for (size_t j = 0; j + 1 < model->contacts; j++) {
        if (above(model, j) > 0) {
            return false;
        }
    }
    return true;
}

/* Contacts first to last press together, with no other beside them: D p + q = 0 by elimination. */
static bool solve_run(const crm_model *model, size_t first, size_t last, const double *q, double *p,
                      double *per_pivot)
{
    double before = 0, passed_on = 0;
    for (size_t j = first; j <= last; j++) {
        double left = j > first ? below(model, j) * before : 0;
        double pivot = model->d_diagonal[j] - (j > first ? left * above(model, j - 1) : 0);
        p[j] = -q[j] - left * passed_on;
        passed_on = p[j];
        before = per_pivot[j] = 1.0 / pivot;
        if (!(pivot > 0)) {
            return false;
        }
    }
    double after = 0;
    for (size_t j = last + 1; j-- > first;) {
        after = p[j] = (p[j] - (j < last ? above(model, j) * after : 0)) * per_pivot[j];
    }
    return true;
}

/* p > 0 marks the contacts that press, INFINITY those that press by now; runs without any such are
 * solved already.
 */
static bool solve_runs(const crm_model *model, const double *q, double *p, double *w)
{
    for (size_t first = 0; first < model->contacts; first++) {
        size_t end = first;
        bool fresh = false;
        while (end < model->contacts && p[end] > 0) {
            fresh |= p[end++] == INFINITY;
        }
        if (fresh && !solve_run(model, first, end - 1, q, p, w)) {
            return false;
        }
        first = end;
    }
    return true;
}

/* How many more have to press? */
static size_t take_in_more(const crm_model *model, const double *q, double *p, double *w)
{
    size_t more = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        w[j] = 0;
        if (!(p[j] > 0)) {
            w[j] = q[j] + ((j > 0 ? below(model, j) * p[j - 1] : 0) +
                           (j + 1 < model->contacts ? above(model, j) * p[j + 1] : 0));
            more += w[j] < 0;
        }
    }
    for (size_t j = 0; j < model->contacts && more > 0; j++) {
        p[j] = w[j] < 0 ? INFINITY : p[j];
    }
    return more;
}

bool lzb_line_project(const crm_model *model, const double *q, double *p, double *w)
{
    if (!lzb_line_fits(model) || !pushes_apart(model)) {
        return false;
    }
    for (size_t j = 0; j < model->contacts; j++) {
        p[j] = q[j] < 0 ? INFINITY : 0;
    }
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        if (!solve_runs(model, q, p, w)) {
            return false;
        }
        if (take_in_more(model, q, p, w) == 0) {
            return true;
        }
    }
    return false;
}

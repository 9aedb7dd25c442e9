/* Contacts at rest, which a change of the data may press or let apart before a wave comes. */
#include "law/lzb/path/events.h"

#include <math.h>

double lzb_rest_push(const lzb_path *path, const double *force, size_t j)
{
    const crm_model *model = path->model;
    double now = 0, soon = 0;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        size_t k = model->d_column[e];
        if (k != j && lzb_path_is_working(path, k)) {
            now -= model->d_value[e] * force[k];
            soon -= model->d_value[e] * fmax(path->c[k], 0);
        }
    }
    return now != 0 ? now : soon;
}

/* What the impulses so far would do to a contact that does not feel them, if it did. */
static double speed_unfelt(const lzb_path *path, size_t j)
{
    const crm_model *model = path->model;
    double sum = 0;
    for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
        size_t k = model->d_column[e];
        sum += fabs(path->p[k]) * sqrt(model->d_diagonal[j] * model->d_diagonal[k]);
    }
    return sum;
}

/* A wave comes to a contact that has rested so far. */
static crm_status leave_rest(lzb_path *path, size_t j, crm_error *error)
{
    double unfelt = speed_unfelt(path, j) - path->unfelt[j];
    path->stopped[j] = 0;
    path->resting[j] = path->resting[j] == LZB_RESTING ? LZB_REACHED : path->resting[j];
    return lzb_events_happen(path, j, LZB_PATH_REACH, unfelt, error);
}

crm_status lzb_rest_note_reached(lzb_path *path, const double *force, const uint32_t *list,
                                 size_t active, size_t end, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t i = 0; status == CRM_OK && i < end; i++) {
        size_t j = list[i];
        if (path->resting[j] != LZB_RESTING && !path->stopped[j]) {
            continue;
        }
        if (i < active || (path->model->exponent[j] <= 1 && lzb_rest_push(path, force, j) < 0)) {
            status = leave_rest(path, j, error);
        } else if (lzb_rest_push(path, force, j) < 0) {
            path->stopped[j] = 0;
            path->resting[j] = LZB_NOT_RESTING;
        }
    }
    return status;
}

void lzb_rest_note_stopped(lzb_path *path, size_t event)
{
    for (; event < path->event_count; event++) {
        size_t j = path->events[event].contact;
        if (path->events[event].kind == LZB_PATH_STOP && path->mode[j] == LZB_OPEN) {
            path->stopped[j] = 1;
            path->unfelt[j] = speed_unfelt(path, j);
        }
    }
}

void lzb_rest_note_start(lzb_path *path)
{
    for (size_t j = 0; j < path->model->contacts; j++) {
        bool rests = path->mode[j] == LZB_OPEN && fabs(path->c[j]) <= path->quiet &&
                     path->model->stored_energy[j] == 0;
        path->resting[j] = (uint8_t)(rests ? LZB_RESTING : LZB_NOT_RESTING);
    }
}

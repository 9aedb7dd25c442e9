#include "report/page/solve/model_subset.h"

#include <stdlib.h>

#include "base/base.h"

/* ---- Distance from the impact ---------------------------------------------------------------- */

/* Contacts of a body: contact[start[i]] to contact[start[i + 1] - 1]. */
typedef struct spread {
    const crm_model *model;
    size_t bodies, contacts;
    size_t *start, *contact;
    size_t *queue; /* bodies, by their distance from the impact in contacts */
    size_t queued;
    bool *reached;
} spread;

/* Counted two entries ahead, so that filling them leaves each body's start in its place. */
static void list_contacts(const spread *s)
{
    for (size_t j = 0; j < s->contacts; j++) {
        for (int side = 0; side < 2; side++) {
            size_t party = crm_model_party(s->model, j, side);
            if (party < s->bodies) {
                s->start[party + 2]++;
            }
        }
    }
    for (size_t i = 0; i < s->bodies; i++) {
        s->start[i + 2] += s->start[i + 1];
    }
    for (size_t j = 0; j < s->contacts; j++) {
        for (int side = 0; side < 2; side++) {
            size_t party = crm_model_party(s->model, j, side);
            if (party < s->bodies) {
                s->contact[s->start[party + 1]++] = j;
            }
        }
    }
}

static void reach(spread *s, size_t party)
{
    if (party < s->bodies && !s->reached[party]) {
        s->reached[party] = true;
        s->queue[s->queued++] = party;
    }
}

static void reach_both(spread *s, size_t contact)
{
    reach(s, crm_model_party(s->model, contact, 0));
    reach(s, crm_model_party(s->model, contact, 1));
}

/* Breadth first from the closing contacts; bodies that are not connected come last. */
static void search(spread *s, const double *gap, size_t most)
{
    const double *stored = crm_model_stored_energy(s->model);
    for (size_t j = 0; j < s->contacts; j++) {
        if (gap[j] < 0 || stored[j] > 0) {
            reach_both(s, j);
        }
    }
    for (size_t i = 0; i < s->queued && s->queued < most; i++) {
        size_t body = s->queue[i];
        for (size_t k = s->start[body]; k < s->start[body + 1]; k++) {
            reach_both(s, s->contact[k]);
        }
    }
    for (size_t i = 0; i < s->bodies && s->queued < most; i++) {
        reach(s, i);
    }
}

static void free_spread(spread *s)
{
    free(s->start);
    free(s->contact);
    free(s->queue);
    free(s->reached);
}

/* ---- What is taken --------------------------------------------------------------------------- */

/* Contacts of a body with others that are taken, and with walls. */
static size_t count_contacts(const spread *s, size_t body)
{
    size_t count = 0;
    for (size_t k = s->start[body]; k < s->start[body + 1]; k++) {
        size_t first = crm_model_party(s->model, s->contact[k], 0);
        size_t other = first == body ? crm_model_party(s->model, s->contact[k], 1) : first;
        count += other >= s->bodies || s->reached[other];
    }
    return count;
}

/* In order of distance, as long as there is room for them and all their contacts. */
static void take_bodies(const spread *s, size_t bodies, size_t contacts, crm_model_subset *e)
{
    for (size_t i = 0; i < s->bodies; i++) {
        s->reached[i] = false;
    }
    size_t between = 0;
    for (size_t i = 0; i < s->queued && i < bodies; i++) {
        between += count_contacts(s, s->queue[i]);
        if (between > contacts) {
            break;
        }
        s->reached[s->queue[i]] = true;
    }
    for (size_t i = 0; i < s->bodies; i++) {
        if (s->reached[i]) {
            e->bodies[e->body_count++] = i;
        }
    }
}

/* Those of bodies that are taken, and of nothing else. */
static void take_contacts(const spread *s, crm_model_subset *e)
{
    for (size_t j = 0; j < s->contacts; j++) {
        bool taken = true, any = false;
        for (int side = 0; side < 2; side++) {
            size_t party = crm_model_party(s->model, j, side);
            any = any || party < s->bodies;
            taken = taken && (party >= s->bodies || s->reached[party]);
        }
        if (any && taken) {
            e->contacts[e->contact_count++] = j;
        }
    }
}

static void take_coordinates(const crm_model *model, crm_model_subset *e)
{
    for (size_t i = 0; i < e->body_count; i++) {
        size_t end = crm_model_body_start(model, e->bodies[i] + 1);
        for (size_t k = crm_model_body_start(model, e->bodies[i]); k < end; k++) {
            e->coordinates[e->coordinate_count++] = k;
        }
    }
}

static void take_all(const crm_model *model, crm_model_subset *e)
{
    e->body_count = crm_model_bodies(model);
    e->contact_count = crm_model_contacts(model);
    for (size_t i = 0; i < e->body_count; i++) {
        e->bodies[i] = i;
    }
    for (size_t j = 0; j < e->contact_count; j++) {
        e->contacts[j] = j;
    }
    e->whole = true;
}

static crm_status take_nearest(const crm_model *model, const double *velocity, size_t most,
                               crm_model_subset *e, crm_error *error)
{
    spread s = {
        .model = model, .bodies = crm_model_bodies(model), .contacts = crm_model_contacts(model)};
    double *gap = CRM_NEW(double, s.contacts);
    s.start = CRM_NEW(size_t, s.bodies + 2);
    s.contact = CRM_NEW(size_t, 2 * s.contacts);
    s.queue = CRM_NEW(size_t, s.bodies);
    s.reached = CRM_NEW(bool, s.bodies);
    bool got =
        gap != NULL && s.start != NULL && s.contact != NULL && s.queue != NULL && s.reached != NULL;
    if (got) {
        crm_model_gap_velocity(model, velocity, gap);
        list_contacts(&s);
        search(&s, gap, most);
        take_bodies(&s, most, 2 * most, e);
        take_contacts(&s, e);
    }
    free(gap);
    free_spread(&s);
    return got ? CRM_OK : crm_fail_memory(error);
}

crm_status crm_model_subset_make(const crm_model *model, const double *velocity, size_t most,
                                 crm_model_subset *subset, crm_error *error)
{
    size_t bodies = crm_model_bodies(model), contacts = crm_model_contacts(model);
    bool whole = bodies <= most && contacts <= 2 * most;
    *subset = (crm_model_subset){0};
    subset->bodies = CRM_NEW(size_t, whole || bodies < most ? bodies : most);
    subset->contacts = CRM_NEW(size_t, whole || contacts < 2 * most ? contacts : 2 * most);
    subset->coordinates = CRM_NEW(size_t, crm_model_coordinates(model));
    if (subset->bodies == NULL || subset->contacts == NULL || subset->coordinates == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = CRM_OK;
    if (whole) {
        take_all(model, subset);
    } else {
        status = take_nearest(model, velocity, most, subset, error);
    }
    if (status == CRM_OK) {
        take_coordinates(model, subset);
    }
    return status;
}

void crm_model_subset_free(crm_model_subset *subset)
{
    free(subset->bodies);
    free(subset->contacts);
    free(subset->coordinates);
    *subset = (crm_model_subset){0};
}

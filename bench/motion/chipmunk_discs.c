#include "chipmunk_discs.h"

#include <chipmunk/chipmunk.h>
#include <stdlib.h>

enum { WALLS = 3 };

struct chipmunk_discs {
    cpSpace *space;
    size_t count;
    cpBody **body;
    cpShape **shape;
    cpShape *wall[WALLS];
};

static void add_walls(chipmunk_discs *d, double width)
{
    const double far = 100 * width;
    const cpVect end[WALLS][2] = {
        {{-far, 0}, {far, 0}}, {{0, -far}, {0, far}}, {{width, -far}, {width, far}}};
    for (size_t k = 0; k < WALLS; k++) {
        d->wall[k] = cpSpaceAddShape(
            d->space, cpSegmentShapeNew(cpSpaceGetStaticBody(d->space), end[k][0], end[k][1], 0));
        cpShapeSetFriction(d->wall[k], 0);
        cpShapeSetElasticity(d->wall[k], 0);
    }
}

static void add_disc(chipmunk_discs *d, size_t i, double radius, const double *place)
{
    d->body[i] = cpSpaceAddBody(d->space, cpBodyNew(1, cpMomentForCircle(1, 0, radius, cpvzero)));
    cpBodySetPosition(d->body[i], cpv(place[0], place[1]));
    d->shape[i] = cpSpaceAddShape(d->space, cpCircleShapeNew(d->body[i], radius, cpvzero));
    cpShapeSetFriction(d->shape[i], 0);
    cpShapeSetElasticity(d->shape[i], 0);
}

chipmunk_discs *chipmunk_discs_create(size_t count, double radius, double width, double gravity,
                                      const double *place, int iterations)
{
    chipmunk_discs *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return NULL;
    }
    d->body = calloc(count, sizeof(cpBody *));
    d->shape = calloc(count, sizeof(cpShape *));
    if (d->body == NULL || d->shape == NULL) {
        chipmunk_discs_free(d);
        return NULL;
    }
    d->space = cpSpaceNew();
    d->count = count;
    cpSpaceSetIterations(d->space, iterations);
    cpSpaceSetGravity(d->space, cpv(0, -gravity));
    cpSpaceSetCollisionSlop(d->space, 0.005 * radius);
    add_walls(d, width);
    for (size_t i = 0; i < count; i++) {
        add_disc(d, i, radius, place + 2 * i);
    }
    return d;
}

void chipmunk_discs_step(chipmunk_discs *d, double step)
{
    cpSpaceStep(d->space, step);
}

void chipmunk_discs_read(const chipmunk_discs *d, double *place)
{
    for (size_t i = 0; i < d->count; i++) {
        cpVect p = cpBodyGetPosition(d->body[i]);
        place[2 * i] = p.x;
        place[2 * i + 1] = p.y;
    }
}

void chipmunk_discs_free(chipmunk_discs *d)
{
    for (size_t i = 0; i < d->count; i++) {
        cpSpaceRemoveShape(d->space, d->shape[i]);
        cpSpaceRemoveBody(d->space, d->body[i]);
        cpShapeFree(d->shape[i]);
        cpBodyFree(d->body[i]);
    }
    for (size_t k = 0; k < WALLS && d->space != NULL; k++) {
        cpSpaceRemoveShape(d->space, d->wall[k]);
        cpShapeFree(d->wall[k]);
    }
    if (d->space != NULL) {
        cpSpaceFree(d->space);
    }
    free(d->body);
    free(d->shape);
    free(d);
}

/* Balls on a lattice by arithmetic: their number, their order, their neighbours. Internal. */
#ifndef CRM_LATTICE_H
#define CRM_LATTICE_H

#include "model/model.h"

/* The last of the `dimension` axes points up; size[dimension - 1] counts levels. In a staggered
 * lattice every second level (1, 3, ...) lies in the hollows of its neighbours and has one ball
 * less along each horizontal axis.
 */
typedef struct crm_lattice_shape {
    unsigned dimension;
    bool staggered;
    bool tapering; /* a rack: every level lies in hollows, and has one ball less than that below */
    size_t size[3];
} crm_lattice_shape;

/* A row within a level: along x from ball `first` on. */
typedef struct crm_lattice_line {
    size_t level, y;
    size_t first, length;
} crm_lattice_line;

/* One contact of a ball: with a ball of a higher number. */
typedef struct crm_neighbour {
    size_t ball;
    double normal[3]; /* towards it */
} crm_neighbour;

enum { CRM_NEIGHBOURS_MOST = 6 };

crm_lattice_shape crm_lattice_shape_of(const crm_packing_def *def);
crm_status crm_lattice_check(const crm_lattice_shape *shape, crm_error *error);

size_t crm_lattice_balls(const crm_lattice_shape *shape);
size_t crm_lattice_contacts(const crm_lattice_shape *shape);
/* Entries of w that are not 0, over all those contacts. */
size_t crm_lattice_entries(const crm_lattice_shape *shape);

/* Balls along a horizontal axis of a level; 1 along y in the plane. */
size_t crm_lattice_length(const crm_lattice_shape *shape, size_t level, unsigned axis);
size_t crm_lattice_levels(const crm_lattice_shape *shape);
bool crm_lattice_in_hollows(const crm_lattice_shape *shape, size_t level);
crm_lattice_line crm_lattice_line_at(const crm_lattice_shape *shape, size_t level, size_t y);
/* The neighbours of ball x of a line, in ascending order; returns how many. */
size_t crm_lattice_neighbours(const crm_lattice_shape *shape, const crm_lattice_line *line,
                              size_t x, crm_neighbour *neighbours);

#endif

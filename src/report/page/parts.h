/* The parts that pages of all commands share. Internal to src/report/page. */
#ifndef CRM_PAGE_PARTS_H
#define CRM_PAGE_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "report/page/frames.h"
#include "report/page/page.h"

/* The page around its data: begin, the members of one JSON object, end. `scripts` ends in NULL; a
 * page that solves has its own.
 */
void crm_page_begin(FILE *stream, const crm_page_source *source);
void crm_page_end(FILE *stream, const unsigned char *const *scripts, const crm_page_source *source);

/* The members of an object, without its braces; frees it. False: it is NULL, for lack of memory.
 * Nothing in it can end the element it stands in: <, > and & are written as \u003c, ...
 */
bool crm_page_members(FILE *stream, json_t *object);
/* null, where it is not finite. */
void crm_page_number(FILE *stream, double value, int digits);

json_t *crm_page_source_object(const crm_page_source *source);
/* A body, and a wall, to be drawn. */
json_t *crm_shapes_body(const crm_body_def *body, unsigned dimension);
json_t *crm_shapes_wall(const crm_wall_def *wall, unsigned dimension);
/* The units shown for newtons and seconds: "K=1" where no stiffness was given. */
json_t *crm_page_units(const char *of_force, const char *of_time);
json_t *crm_shapes_list(const double *values, size_t count);
/* Whether numbers of frames are rounded more coarsely, because there are many in each. */
bool crm_frames_json_is_coarse(const crm_frames *frames);
/* The members of frames, without braces; they are thinned to about `most` numbers. */
void crm_frames_json_write(FILE *stream, crm_frames *frames, size_t most);

#endif

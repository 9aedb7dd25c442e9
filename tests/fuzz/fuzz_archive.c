/* Loading must survive any archive: a motion as it was saved, or a complaint, nothing else.
 *
 * tests/motion/test_motion_archive.c forges archives of many more scenes.
 *
 * The first byte chooses one of two motions. Then come changes to its archive, each of eleven
 * bytes: how many bytes, three for where, seven for what. Checksums are made right again, since
 * bytes that were merely damaged never come further than these; but not if the length of the input
 * is odd.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BALLS = 30, CHANGE = 11, ROOM = 1 << 18, HEADING = 13 + 8 };

typedef struct bytes {
    unsigned char at[ROOM];
    size_t size, read;
} bytes;

static crm_status take(void *context, const void *some, size_t size)
{
    bytes *b = context;
    if (size > ROOM - b->size) {
        abort();
    }
    memcpy(b->at + b->size, some, size);
    b->size += size;
    return CRM_OK;
}

static crm_status give(void *context, void *some, size_t size)
{
    bytes *b = context;
    if (size > b->size - b->read) {
        return CRM_ERROR_STOPPED;
    }
    memcpy(some, b->at + b->read, size);
    b->read += size;
    return CRM_OK;
}

/* Discs enough for cells, in a box with a floor that swings; or, with a spring, by integration. */
static crm_motion *begin(bool spring)
{
    static crm_body_def body[BALLS];
    static crm_wall_def wall[2];
    static const crm_wall_motion swing[2] = {{0.01, 3, 0}, {0, 0, 0}};
    static const crm_spring_def tie = {.first = 0, .second = 1, .stiffness = 10, .length = 1};
    static double velocity[2 * BALLS];
    crm_scene_def def = crm_scene_def_default();
    crm_motion *motion = NULL;
    for (size_t i = 0; i < BALLS; i++) {
        body[i] = crm_body_def_default();
        body[i].radius = i % 7 == 0 ? 0.45 : 0.1;
        body[i].mass = 1;
        body[i].position[0] = (double)(i % 6);
        body[i].position[1] = 0.5 + (double)(i / 6);
        velocity[2 * i] = (double)(i % 5) - 2;
    }
    wall[0] = wall[1] = crm_wall_def_default();
    wall[0].normal[1] = 1;
    wall[1].normal[0] = 1;
    wall[1].point[0] = -1;
    def.bodies.dimension = 2;
    def.bodies.bodies = body;
    def.bodies.body_count = spring ? 3 : BALLS;
    def.bodies.walls = wall;
    def.bodies.wall_count = 2;
    def.bodies.contact.restitution = 0.9;
    def.wall_motion = swing;
    def.velocity = velocity;
    def.springs = &tie;
    def.spring_count = spring;
    def.gravity[1] = -9.81;
    if (crm_motion_from_scene(&def, NULL, &motion, NULL) != CRM_OK) {
        abort();
    }
    return motion;
}

static void sign(bytes *b)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t at = HEADING; at + 4 <= b->size;) {
        uint32_t size;
        memcpy(&size, b->at + at, sizeof size);
        at += sizeof size;
        if (size > b->size - at || b->size - at - size < sizeof hash) {
            return;
        }
        for (size_t i = 0; i < size; i++) {
            hash = (hash ^ b->at[at + i]) * 0x100000001b3u;
        }
        memcpy(b->at + at + size, &hash, sizeof hash);
        at += size + sizeof hash;
    }
}

static void change(bytes *b, const uint8_t *data, size_t size)
{
    for (; size >= CHANGE; data += CHANGE, size -= CHANGE) {
        size_t place = (size_t)data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16;
        size_t count = 1 + data[0] % 7;
        if (b->size > count) {
            memcpy(b->at + place % (b->size - count), data + 4, count);
        }
    }
}

static crm_motion *motion[2];
static bytes *saved[2], *changed;

static void start(void)
{
    changed = calloc(1, sizeof *changed);
    for (int k = 0; k < 2; k++) {
        motion[k] = begin(k == 1);
        saved[k] = calloc(1, sizeof **saved);
        if (changed == NULL || saved[k] == NULL ||
            crm_motion_run(motion[k], 0.4, NULL, NULL, NULL) != CRM_OK ||
            crm_motion_save(motion[k], take, saved[k], NULL) != CRM_OK) {
            abort();
        }
    }
}

/* What was loaded can be read, and saved as it was. */
static void require_sense(const crm_motion *loaded)
{
    double position[2 * BALLS], velocity[2 * BALLS];
    crm_motion_read(loaded, position, velocity);
    crm_motion_summarize(loaded);
    changed->size = 0;
    if (crm_motion_save(loaded, take, changed, NULL) != CRM_OK) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (changed == NULL) {
        start();
    }
    size_t k = size > 0 ? data[0] % 2 : 0;
    crm_error error = {0};
    memcpy(changed->at, saved[k]->at, saved[k]->size);
    changed->size = saved[k]->size;
    changed->read = 0;
    if (size > 0) {
        change(changed, data + 1, size - 1);
    }
    if (size % 2 == 0) {
        sign(changed);
    }
    crm_status status = crm_motion_load(motion[k], give, changed, &error);
    if (status == CRM_OK) {
        require_sense(motion[k]);
    } else if (error.message[0] == '\0' || strcmp(error.place, "archive") != 0) {
        abort();
    }
    return 0;
}

/* Pages of motions: what is kept of very many impacts and instants, and that looking changes
 * nothing. What a browser makes of them is in tests/browser/simulate.mjs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "page_data.h"
#include "report/motion.h"
#include "report/page/motion/kept_impacts.h"
#include "report/page/motion/motion_frames.h"

static int shell(fixture *f, const char *command)
{
    return shell_with(f, CAROM_PROGRAM, command);
}

/* ---- Impacts -------------------------------------------------------------------------------- */

enum { IMPACTS = 100003 };

/* Numbers between 0 and 1 in no order: the fractions of multiples of the golden ratio. */
static double scattered(size_t k)
{
    double multiple = (double)k * 0.61803398874989485;
    return multiple - floor(multiple);
}

static crm_impact_report impact_at(size_t k, const size_t (*party)[2], double *closing,
                                   const double *impulse)
{
    closing[0] = scattered(k);
    return (crm_impact_report){.number = k + 1,
                               .time = (double)k,
                               .contacts = 1,
                               .party = party,
                               .closing_speed = closing,
                               .impulse = impulse,
                               .result = CRM_SOLVED,
                               .kinematic = true,
                               .kinetic = true,
                               .energetic = k != 4711,
                               .unique = true};
}

/* Each stands for those in a row of which it is the strongest; together they stand for all. */
static void of_every_so_many_impacts_the_strongest_stays(void **state)
{
    (void)state;
    crm_kept_impacts b;
    static const size_t party[1][2] = {{0, 1}};
    double closing, impulse = 1;
    assert_int_equal(crm_kept_impacts_create(&b, NULL), CRM_OK);
    for (size_t k = 0; k < IMPACTS; k++) {
        const crm_impact_report impact = impact_at(k, party, &closing, &impulse);
        crm_kept_impacts_add(&b, &impact);
    }
    assert_int_equal(b.total, IMPACTS);
    assert_in_range(b.count, 1000, 5000);
    crm_kept_impacts_thin(&b);
    size_t from = 0;
    bool odd_one = false;
    for (size_t i = 0; i < b.count; i++) {
        size_t end = from + (size_t)b.impacts[i].represents,
               number = (size_t)b.impacts[i].number - 1;
        assert_true(i + 1 == b.count || b.impacts[i].represents == b.stride);
        assert_in_range(number, from, end - 1);
        assert_true(b.impacts[i].strongest == scattered(number));
        assert_true(b.contacts[b.impacts[i].first].closing_speed == scattered(number));
        for (size_t k = from; k < end; k++) {
            assert_true(scattered(k) <= scattered(number) || !b.impacts[i].energetic);
        }
        odd_one |= number == 4711;
        from = end;
    }
    assert_int_equal(from, IMPACTS);
    assert_true(odd_one);
    crm_kept_impacts_free(&b);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void of_many_contacts_those_with_the_largest_impulses_stay(void **state)
{
    (void)state;
    enum { CONTACTS = 1000, KEPT = 64 };
    crm_kept_impacts b;
    static size_t party[CONTACTS][2];
    static double closing[CONTACTS], impulse[CONTACTS], sorted[CONTACTS];
    for (size_t j = 0; j < CONTACTS; j++) {
        impulse[j] = sorted[j] = scattered(j);
        party[j][0] = j;
    }
    qsort(sorted, CONTACTS, sizeof *sorted, descending);
    const crm_impact_report impact = {.number = 1,
                                      .contacts = CONTACTS,
                                      .party = (const size_t(*)[2])party,
                                      .closing_speed = closing,
                                      .impulse = impulse,
                                      .result = CRM_SOLVED};
    assert_int_equal(crm_kept_impacts_create(&b, NULL), CRM_OK);
    for (size_t k = 0; k < 2000; k++) { /* more than there is room for */
        crm_kept_impacts_add(&b, &impact);
    }
    assert_int_equal(b.impacts[0].contacts, CONTACTS);
    assert_int_equal(b.impacts[0].kept, KEPT);
    for (size_t k = 0; k < KEPT; k++) {
        const crm_kept_contact *contact = &b.contacts[b.impacts[0].first + k];
        assert_true(contact->impulse >= sorted[KEPT - 1]);
        assert_true(contact->impulse == scattered(contact->party[0]));
        assert_true(isnan(contact->peak_force));
    }
    crm_kept_impacts_free(&b);
}

/* ---- Instants ------------------------------------------------------------------------------- */

/* ---- Curves between instants ----------------------------------------------------------------- */

static const crm_scene_subset one_number = {.translation_count = 1,
                                            .velocity_count = 1,
                                            .translations = &(size_t){0},
                                            .velocities = &(size_t){0}};

typedef double (*course)(double time);

static double swing(double time)
{
    return sin(2 * acos(-1) * time);
}

/* A ball that bounces elastically, once a second, as high as 1. */
static double bounce(double time)
{
    double t = time - floor(time);
    return 4 * t * (1 - t);
}

/* Largest distance of the curve through the frames from the motion. */
static double strayed(const crm_frames *frames, course of)
{
    enum { FINE = 5 };
    size_t room = crm_frames_curve_points_most(frames, FINE);
    double *x = malloc(room * sizeof *x), *y = malloc(room * sizeof *y), most = 0;
    size_t count = crm_frames_curve(frames, CRM_MOTION_FRAMES_TRANSLATION, 0, FINE, x, y);
    assert_true(count <= room);
    for (size_t k = 0; k < count; k++) {
        assert_true(k == 0 || x[k] >= x[k - 1]);
        most = fmax(most, fabs(y[k] - of(x[k])));
    }
    free(x);
    free(y);
    return most;
}

/* Thinned to some five instants a swing: the cubic strays by (2 pi h)^4/384 of its height from a
 * sine, a line by (2 pi h)^2/8, which is a fifth.
 */
static void a_swing_is_told_by_few_instants(void **state)
{
    (void)state;
    crm_frames frames;
    assert_int_equal(crm_motion_frames_create(&one_number, &frames, NULL), CRM_OK);
    for (size_t k = 0; k <= 20000; k++) {
        double time = 0.005 * (double)k, q = swing(time);
        double v = 2 * acos(-1) * cos(2 * acos(-1) * time);
        crm_motion_frames_add(
            &frames, &one_number,
            &(crm_motion_frame){
                .time = time, .position = &q, .velocity = &v, .join = CRM_FRAMES_CURVE});
    }
    while (frames.count > 700) {
        crm_frames_thin(&frames);
    }
    assert_true(strayed(&frames, swing) < 0.02);
    crm_frames_free(&frames);
}

/* An impact every second, told by the velocity after it alone: parabolas are met, whatever is left
 * out, as long as each impact is kept; and velocities jump where they do.
 */
static void a_bounce_is_no_swing(void **state)
{
    (void)state;
    crm_frames frames;
    assert_int_equal(crm_motion_frames_create(&one_number, &frames, NULL), CRM_OK);
    for (size_t k = 0; k <= 16000; k++) {
        double time = (double)k / 128, q = bounce(time), v = 4 - 8 * (time - floor(time));
        bool struck = k % 128 == 0;
        crm_motion_frames_add(
            &frames, &one_number,
            &(crm_motion_frame){.time = time,
                                .position = &q,
                                .velocity = &v,
                                .join = struck ? CRM_FRAMES_IMPACT : CRM_FRAMES_CURVE});
    }
    while (frames.count > 300) {
        crm_frames_thin(&frames);
    }
    assert_true(strayed(&frames, bounce) < 1e-9);
    double x[4096], y[4096];
    size_t count = crm_frames_curve(&frames, CRM_MOTION_FRAMES_VELOCITY, 0, 2, x, y);
    for (size_t k = 0; k < count; k++) {
        double t = x[k] - floor(x[k]);
        assert_true(t == 0 ? fabs(fabs(y[k]) - 4) < 1e-9 : fabs(y[k] - (4 - 8 * t)) < 1e-9);
    }
    crm_frames_free(&frames);
}

/* Where nobody knows what was between, curves stay within what is known. */
static void where_impacts_fell_between_there_are_lines(void **state)
{
    (void)state;
    crm_frames frames;
    assert_int_equal(crm_motion_frames_create(&one_number, &frames, NULL), CRM_OK);
    for (size_t k = 0; k <= 100; k++) {
        double q = (double)(k % 2), v = 1000;
        crm_motion_frames_add(
            &frames, &one_number,
            &(crm_motion_frame){
                .time = (double)k, .position = &q, .velocity = &v, .join = CRM_FRAMES_LINE});
    }
    double x[1024], y[1024];
    size_t count = crm_frames_curve(&frames, CRM_MOTION_FRAMES_TRANSLATION, 0, 4, x, y);
    assert_int_equal(count, 101);
    crm_frames_free(&frames);
}

/* A unit mass on a unit spring, at instants H apart: the cubic strays from U = (1 - cos 2t)/4 by
 * (2H)^4/384 of the swing's 1/4, a line by (2H)^2/8; T is what remains of 1/2.
 */
static void energies_of_a_swing_follow_it(void **state)
{
    (void)state;
    enum { INSTANTS = 60, FINE = 6 };
    static const double H = 0.6;
    crm_frames frames;
    assert_int_equal(crm_motion_frames_create(&one_number, &frames, NULL), CRM_OK);
    for (size_t k = 0; k < INSTANTS; k++) {
        double time = H * (double)k, q = sin(time), v = cos(time);
        const crm_motion_frame frame = {
            .time = time,
            .position = &q,
            .velocity = &v,
            .energy = {.kinetic_after = v * v / 2, .potential_after = q * q / 2},
            .potential_rate = q * v,
            .join = CRM_FRAMES_CURVE};
        crm_motion_frames_add(&frames, &one_number, &frame);
    }
    double x[INSTANTS * FINE], kinetic[INSTANTS * FINE], potential[INSTANTS * FINE];
    double allowed = 0.25 * pow(2 * H, 4) / 384 + 1e-12;
    size_t count =
        crm_motion_frames_curve(&frames, CRM_MOTION_FRAMES_POTENTIAL, FINE, x, potential);
    assert_int_equal(count, (INSTANTS - 1) * FINE + 1);
    crm_motion_frames_curve(&frames, CRM_MOTION_FRAMES_KINETIC, FINE, x, kinetic);
    for (size_t k = 0; k < count; k++) {
        assert_true(fabs(potential[k] - sin(x[k]) * sin(x[k]) / 2) <= allowed);
        assert_true(fabs(kinetic[k] - cos(x[k]) * cos(x[k]) / 2) <= allowed);
    }
    crm_frames_free(&frames);
}

/* A ball of weight 8 that strikes a floor at the middle of three instants and loses all but a
 * quarter of its energy: up to the impact energies are those of the fall, then they jump.
 */
static void energies_jump_at_an_impact(void **state)
{
    (void)state;
    enum { FINE = 4 };
    crm_frames frames;
    assert_int_equal(crm_motion_frames_create(&one_number, &frames, NULL), CRM_OK);
    /* U = 8 q, from q = 4 at t = 0 to 0 at t = 1, and with half of the speed up again */
    const double q[] = {4, 0, 1}, v[] = {0, 4, 0};
    const crm_motion_frame instants[] = {
        {0, &q[0], &v[0], {.potential_after = 32}, 0, CRM_FRAMES_CURVE},
        {1, &q[1], &v[1], {.kinetic_after = 8, .lost = 24}, 32, CRM_FRAMES_IMPACT},
        {1.5, &q[2], &v[2], {.potential_after = 8, .lost = 24}, 0, CRM_FRAMES_CURVE}};
    for (size_t k = 0; k < 3; k++) {
        crm_motion_frames_add(&frames, &one_number, &instants[k]);
    }
    double x[16], kinetic[16], lost[16];
    size_t count = crm_motion_frames_curve(&frames, CRM_MOTION_FRAMES_KINETIC, FINE, x, kinetic);
    assert_int_equal(crm_motion_frames_curve(&frames, CRM_MOTION_FRAMES_LOST, FINE, x, lost),
                     count);
    assert_int_equal(count, 1 + FINE + 1 + (FINE - 1) + 1);
    for (size_t k = 0; k < count; k++) {
        double t = x[k] - 1.5, fall = k <= FINE ? 32 * x[k] * x[k] : 32 * t * t;
        assert_near(kinetic[k], fall, 1e-12);
        assert_near(lost[k], k <= FINE ? 0 : 24, 0);
    }
    crm_frames_free(&frames);
}

/* A spike that one instant alone has is lost to lines between others, but not to the frames. */
static void an_energy_that_is_largest_at_one_instant_stays(void **state)
{
    (void)state;
    enum { SAMPLES = 50000, SPIKE = 31415 };
    size_t which = 0;
    const crm_scene_subset subset = {.whole = true,
                                     .body_count = 1,
                                     .translation_count = 1,
                                     .velocity_count = 1,
                                     .translations = &which,
                                     .velocities = &which};
    crm_frames frames;
    assert_int_equal(crm_motion_frames_create(&subset, &frames, NULL), CRM_OK);
    for (size_t k = 0; k < SAMPLES; k++) {
        double q = 1000 + sin(1e-3 * (double)k), v = 1e-3 * cos(1e-3 * (double)k);
        const crm_motion_account energy = {.kinetic_after = k == SPIKE ? 7 : v * v / 2};
        crm_motion_frames_add(&frames, &subset,
                              &(crm_motion_frame){(double)k, &q, &v, energy, 0, CRM_FRAMES_LINE});
    }
    for (int k = 0; k < 3; k++) {
        crm_frames_thin(&frames);
    }
    double most = 0;
    for (size_t row = 0; row < frames.count; row++) {
        double time = frames.time[row];
        most = fmax(most, crm_frames_series(&frames, CRM_MOTION_FRAMES_KINETIC, row));
        assert_true(crm_frames_values(&frames, CRM_MOTION_FRAMES_TRANSLATION, row)[0] ==
                    1000 + sin(1e-3 * time));
    }
    assert_true(frames.count < 1000 && most == 7);
    /* Of places the range counts, not how far away they are. */
    assert_true(fabs(crm_frames_span(&frames, CRM_MOTION_FRAMES_TRANSLATION) - 2) < 1e-3);
    crm_frames_free(&frames);
}

/* ---- The subset ----------------------------------------------------------------------------- */

static void a_subset_is_evenly_spread_and_has_all_numbers_of_its_bodies(void **state)
{
    (void)state;
    enum { BODIES = 10, MOST = 4 };
    crm_body_def bodies[BODIES];
    for (size_t i = 0; i < BODIES; i++) {
        bodies[i] = (crm_body_def){.shape = i % 2 == 1 ? CRM_SHAPE_BOX : CRM_SHAPE_SPHERE};
    }
    crm_scene_def scene = crm_scene_def_default();
    scene.bodies.dimension = 2;
    scene.bodies.body_count = BODIES;
    scene.bodies.bodies = bodies;
    crm_scene_subset subset;
    assert_int_equal(crm_scene_subset_make(&scene, MOST, &subset, NULL), CRM_OK);
    /* Every second one has an angle after its place: bodies begin at 0 2 5 7 10 12 15 17 20 22. */
    static const size_t chosen[MOST] = {0, 2, 5, 7}, translations[] = {0, 1, 5, 6, 12, 13, 17, 18},
                        rotations[] = {14, 19};
    assert_false(subset.whole);
    assert_int_equal(subset.body_count, MOST);
    assert_memory_equal(subset.bodies, chosen, sizeof chosen);
    assert_int_equal(subset.translation_count, 8);
    assert_memory_equal(subset.translations, translations, sizeof translations);
    assert_memory_equal(subset.velocities, translations, sizeof translations);
    assert_int_equal(subset.rotation_count, 2);
    assert_memory_equal(subset.rotations, rotations, sizeof rotations);
    size_t place;
    assert_true(crm_scene_subset_has(&subset, 5, &place) && place == 2);
    assert_false(crm_scene_subset_has(&subset, 6, &place));
    crm_scene_subset_free(&subset);
}

/* ---- The program ---------------------------------------------------------------------------- */

static const char ball[] =
    "title: '</script> & ball'\nbodies: [{name: b, radius: 0.1, mass: 1, position: [0, 1.1]}]\n"
    "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\ncontacts: {restitution: 0.7}\n"
    "simulate: {duration: 3, gravity: [0, -9.81], stop: {at_rest: true}, output_every: 0.01}\n";

/* Gravity, strings, springs and rods: the rate is what the potential does from instant to instant.
 * Central differences over 1 ms are off by (h^2/6) w^2 of the rate: for w below 10/s, by 2e-5.
 */
static void the_rate_of_the_potential_is_its_slope(void **state)
{
    fixture *f = *state;
    static const double SLOPE = 2e-5;
    put_file(f, "m.yaml",
             "bodies:\n"
             "  - {name: a, radius: 0.1, mass: 1, position: [0, 0], velocity: [0.3, 0.2]}\n"
             "  - {name: b, shape: rod, length: 0.4, radius: 0.05, mass: 2, position: [1, 0.2], "
             "spin: 1}\n"
             "  - {name: c, radius: 0.05, mass: 0.5, suspended: {from: [3, 1], length: 0.7}, "
             "angle: 0.8}\n"
             "springs: [{between: [a, b], stiffness: 40, length: 0.8, damping: 0.5}]\n"
             "simulate: {duration: 2, gravity: [0, -9.81]}\n");
    assert_int_equal(shell(f, "$carom simulate m.yaml -q -o r.json --report p.html"), 0);
    json_t *data = page_data(f, "p.html", NULL);
    const json_t *history = json_array_get(json_object_get(data, "histories"), 0);
    const json_t *time = json_object_get(history, "time"),
                 *rate = json_object_get(history, "potential_rate"),
                 *potential = json_object_get(history, "potential");
    double worst = 0, most = 0;
    for (size_t k = 1; k + 1 < json_array_size(time); k++) {
        double t[3], u[3], now = json_number_value(json_array_get(rate, k));
        for (size_t i = 0; i < 3; i++) {
            t[i] = json_number_value(json_array_get(time, k + i - 1));
            u[i] = json_number_value(json_array_get(potential, k + i - 1));
        }
        most = fmax(most, fabs(now));
        if (fabs(t[0] + t[2] - 2 * t[1]) < 1e-9) {
            worst = fmax(worst, fabs((u[2] - u[0]) / (t[2] - t[0]) - now));
        }
    }
    assert_true(most > 1 && worst < SLOPE * most);
    json_decref(data);
}

/* Files and report with pictures and without are the same, byte for byte. */
static void is_not_changed(fixture *f, const char *text)
{
    static const char *const files[] = {"r.json", "s.csv", "i.csv"};
    put_file(f, "m.yaml", text);
    char *plain[3];
    assert_in_set(shell(f, "$carom simulate m.yaml -q -o r.json --history s.csv --impacts i.csv"),
                  ((uintmax_t[]){0, 4}), 2);
    for (size_t k = 0; k < 3; k++) {
        plain[k] = get_file(f, files[k]);
        assert_non_null(plain[k]);
    }
    shell(f, "$carom simulate m.yaml -q -o r.json --history s.csv --impacts i.csv --report p.html");
    for (size_t k = 0; k < 3; k++) {
        char *now = get_file(f, files[k]);
        assert_string_equal(now, plain[k]);
        free(now);
    }
    json_t *data = page_result(f, "p.html"), *printed = json_loads(plain[0], 0, NULL);
    assert_true(json_equal(data, printed));
    json_decref(data);
    json_decref(printed);
    for (size_t k = 0; k < 3; k++) {
        free(plain[k]);
    }
}

static void looking_does_not_change_a_motion(void **state)
{
    is_not_changed(*state, ball);
    is_not_changed(*state,
                   "bodies: [{name: a, radius: 0.1, mass: 1, position: [0, 0.3]},\n"
                   " {name: b, shape: box, size: [0.2, 0.1], mass: 1, position: [0.5, 0.4], angle: "
                   "0.2}]\n"
                   "walls: [{point: [0, 0], normal: [0, 1]}]\ncontacts: {restitution: 0.2}\n"
                   "simulate: {duration: 2, gravity: [0, -9.81], scheme: time-stepping, step: "
                   "7e-4, output_every: 0.0123, stop: {at_rest: true}}\n");
    is_not_changed(*state,
                   "bodies:\n"
                   " - {radius: 0.1, mass: 1, suspended: {from: [0, 0], length: 0.5}, angle: -1}\n"
                   " - {radius: 0.1, mass: 1, suspended: {from: [0.2, 0], length: 0.5}, angle: 0}\n"
                   "springs: [{between: [1, [0, -1]], stiffness: 3, damping: 0.1, length: 0.2}]\n"
                   "contacts: {restitution: 0.5}\n"
                   "simulate: {duration: 3, gravity: [0, -9.81], law: newton, output_every: 0}\n");
}

static const json_t *frames_of(const json_t *data)
{
    return json_array_get(json_object_get(data, "histories"), 0);
}

static double end_of(const json_t *list, bool last)
{
    return json_number_value(json_array_get(list, last ? json_array_size(list) - 1 : 0));
}

static void a_resumed_motion_shows_what_it_has_computed(void **state)
{
    fixture *f = *state;
    put_file(f, "m.yaml", ball);
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --set simulate.duration=1 --checkpoint c"),
                     0);
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --resume c --report p.html -o r.json"), 0);
    json_t *data = page_data(f, "p.html", NULL);
    const json_t *frames = frames_of(data), *time = json_object_get(frames, "time");
    assert_true(end_of(time, false) == 1);
    assert_true(end_of(time, true) == json_number_value(json_object_get(data, "time")));
    double before = 0;
    const json_t *impacts = json_object_get(frames, "impacts");
    for (size_t k = 0; k < json_array_size(impacts); k++) {
        double at = json_number_value(json_object_get(json_array_get(impacts, k), "time"));
        assert_true(at >= 1 && at >= before);
        before = at;
    }
    assert_true(json_array_size(impacts) <
                (size_t)json_integer_value(json_object_get(data, "impacts")));
    json_decref(data);
}

static void nothing_of_the_user_is_markup_and_files_are_whole_or_not_there(void **state)
{
    fixture *f = *state;
    char *raw;
    put_file(f, "m.yaml", ball);
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --report p.html"), 0);
    json_t *data = page_data(f, "p.html", &raw);
    assert_string_equal(json_string_value(json_object_get(data, "title")), "</script> & ball");
    assert_null(strpbrk(raw, "<>&"));
    free(raw);
    json_decref(data);
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --report no/p.html"), 5);
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --report s.html --history s.html"), 2);
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --plot p.svg --plot-of forces"), 2);
    assert_non_null(strstr(f->err, "must be energy, positions, angles or velocities"));
    assert_int_equal(shell(f, "$carom simulate m.yaml -q --plot p.svg --plot-of angles"), 2);
    assert_non_null(strstr(f->err, "the scene has none"));
    assert_false(is_there(f, "p.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_every_so_many_impacts_the_strongest_stays),
        cmocka_unit_test(of_many_contacts_those_with_the_largest_impulses_stay),
        cmocka_unit_test(an_energy_that_is_largest_at_one_instant_stays),
        cmocka_unit_test(a_swing_is_told_by_few_instants),
        cmocka_unit_test(a_bounce_is_no_swing),
        cmocka_unit_test(where_impacts_fell_between_there_are_lines),
        cmocka_unit_test(energies_of_a_swing_follow_it),
        cmocka_unit_test(energies_jump_at_an_impact),
        cmocka_unit_test(a_subset_is_evenly_spread_and_has_all_numbers_of_its_bodies),
        cmocka_unit_test_setup_teardown(the_rate_of_the_potential_is_its_slope, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looking_does_not_change_a_motion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_resumed_motion_shows_what_it_has_computed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            nothing_of_the_user_is_markup_and_files_are_whole_or_not_there, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

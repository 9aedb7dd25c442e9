/* Pages: what they are made of. What a browser makes of them is in tests/browser. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "page_data.h"
#include "program.h"
#include "report/page/solve/impact_frames.h"
#include "scenario/layout.h"

static int shell(fixture *f, const char *command)
{
    return shell_with(f, CAROM_PROGRAM, command);
}

/* ---- Frames --------------------------------------------------------------------------------- */

enum { BALLS = 6, CONTACTS = BALLS - 1, SAMPLES = 20000 };

/* Pulses that pass from contact to contact, and velocities that follow them, at any time in 0..1.
 */
static double pulse(double time, size_t contact)
{
    double at = (time - 0.15 * (double)(contact + 1)) / 0.03;
    return (1 + 0.1 * (double)contact) * exp(-at * at);
}

static double rise(double time, size_t ball)
{
    return tanh((time - 0.15 * (double)ball) / 0.05);
}

/* A single sample in which a ball is twice as fast as ever else: no line tells of it. */
static double kick(double time, size_t ball)
{
    return fabs(time - 0.5 - 1e-2 * (double)ball) < 0.5 / (SAMPLES - 1) ? 2 : 0;
}

typedef struct recording {
    crm_model *model;
    crm_model_subset subset;
    crm_frames frames;
    double highest[CONTACTS], when[CONTACTS]; /* of all samples */
    double least[BALLS], most[BALLS];
    bool kicks;
} recording;

static void record_samples(recording *m, size_t samples)
{
    double force[CONTACTS], velocity[BALLS];
    for (size_t k = 0; k < samples; k++) {
        double time = (double)k / (double)(samples - 1);
        for (size_t j = 0; j < CONTACTS; j++) {
            force[j] = pulse(time, j);
            m->when[j] = force[j] > m->highest[j] ? time : m->when[j];
            m->highest[j] = fmax(m->highest[j], force[j]);
        }
        for (size_t i = 0; i < BALLS; i++) {
            velocity[i] = rise(time, i) + (m->kicks ? kick(time, i) : 0);
            m->least[i] = fmin(m->least[i], velocity[i]);
            m->most[i] = fmax(m->most[i], velocity[i]);
        }
        const crm_sample sample = {.time = time,
                                   .primary = SIZE_MAX,
                                   .force = force,
                                   .stored_energy = force,
                                   .closing_speed = force,
                                   .impulse = force,
                                   .velocity = velocity};
        crm_impact_frames_add(&m->frames, m->model, &m->subset, &sample);
    }
}

static void begin_recording(recording *m)
{
    *m = (recording){0};
    crm_chain_def def = crm_chain_def_default();
    double velocity[BALLS] = {1};
    def.count = BALLS;
    assert_int_equal(crm_model_from_chain(&def, &m->model, NULL), CRM_OK);
    assert_int_equal(crm_model_subset_make(m->model, velocity, BALLS, &m->subset, NULL), CRM_OK);
    assert_int_equal(crm_impact_frames_create(&m->subset, &m->frames, NULL), CRM_OK);
}

static void end_recording(recording *m)
{
    crm_frames_free(&m->frames);
    crm_model_subset_free(&m->subset);
    crm_model_free(m->model);
}

/* The largest force and energy, the largest and the least velocity: with their times. */
static void frames_that_is_thinned_keeps_every_peak(void **state)
{
    (void)state;
    recording m;
    begin_recording(&m);
    m.kicks = true;
    record_samples(&m, SAMPLES);
    assert_int_equal(m.frames.samples, SAMPLES);
    assert_true(m.frames.count <= m.frames.capacity && m.frames.count < SAMPLES);
    while (m.frames.count > 100) {
        crm_frames_thin(&m.frames);
    }
    for (size_t j = 0; j < CONTACTS; j++) {
        double most = 0;
        for (size_t row = 0; row < m.frames.count; row++) {
            most = fmax(most, crm_frames_values(&m.frames, CRM_IMPACT_FRAMES_ENERGY, row)[j]);
        }
        assert_true(most == m.highest[j]);
        const double *force = crm_frames_extreme(&m.frames, CRM_IMPACT_FRAMES_FORCE, j);
        assert_true(force[2] == m.when[j] && force[3] == m.highest[j]);
    }
    for (size_t i = 0; i < BALLS; i++) {
        const double *velocity = crm_frames_extreme(&m.frames, CRM_IMPACT_FRAMES_VELOCITY, i);
        assert_true(velocity[1] == m.least[i] && velocity[3] == m.most[i]);
    }
    end_recording(&m);
}

static void frames_that_are_kept_are_as_they_were(void **state)
{
    (void)state;
    recording m;
    begin_recording(&m);
    record_samples(&m, SAMPLES);
    assert_true(m.frames.time[0] == 0 && m.frames.time[m.frames.count - 1] == 1);
    for (size_t row = 0; row < m.frames.count; row++) {
        assert_true(row == 0 || m.frames.time[row] > m.frames.time[row - 1]);
        for (size_t i = 0; i < BALLS; i++) {
            assert_true(crm_frames_values(&m.frames, CRM_IMPACT_FRAMES_VELOCITY, row)[i] ==
                        rise(m.frames.time[row], i));
        }
        for (size_t j = 0; j < CONTACTS; j++) {
            assert_true(crm_frames_values(&m.frames, CRM_IMPACT_FRAMES_FORCE, row)[j] ==
                        pulse(m.frames.time[row], j));
        }
    }
    end_recording(&m);
}

/* A quadratic interpolated over a step h strays by h^2 f''/8; a hundred rows, more of them where
 * things happen, tell these curves to a hundredth.
 */
static void lines_between_kept_instants_tell_the_rest(void **state)
{
    (void)state;
    static const double NEAR = 0.01;
    recording m;
    begin_recording(&m);
    record_samples(&m, SAMPLES);
    while (m.frames.count > 150) {
        crm_frames_thin(&m.frames);
    }
    size_t row = 0;
    for (double time = 0; time < 1; time += 1e-4) {
        while (m.frames.time[row + 1] < time) {
            row++;
        }
        double part = (time - m.frames.time[row]) / (m.frames.time[row + 1] - m.frames.time[row]);
        for (size_t i = 0; i < BALLS; i++) {
            double a = crm_frames_values(&m.frames, CRM_IMPACT_FRAMES_VELOCITY, row)[i];
            double b = crm_frames_values(&m.frames, CRM_IMPACT_FRAMES_VELOCITY, row + 1)[i];
            assert_true(fabs(a + part * (b - a) - rise(time, i)) < NEAR);
        }
    }
    end_recording(&m);
}

/* A curve through the frames has the peaks between them. */
static void a_curve_through_frames_has_its_extremes(void **state)
{
    (void)state;
    recording m;
    begin_recording(&m);
    record_samples(&m, SAMPLES);
    while (m.frames.count > 60) {
        crm_frames_thin(&m.frames);
    }
    size_t room = crm_frames_curve_points_most(&m.frames, 1);
    double *x = malloc(room * sizeof *x), *y = malloc(room * sizeof *y);
    for (size_t j = 0; j < CONTACTS; j++) {
        double most = 0;
        size_t count = crm_frames_curve(&m.frames, CRM_IMPACT_FRAMES_FORCE, j, 1, x, y);
        assert_true(count <= room);
        for (size_t k = 0; k < count; k++) {
            assert_true(k == 0 || x[k] > x[k - 1]);
            assert_true(y[k] == pulse(x[k], j));
            most = fmax(most, y[k]);
        }
        assert_true(most == m.highest[j]);
    }
    free(x);
    free(y);
    end_recording(&m);
}

static void of_two_samples_at_one_time_the_later_counts(void **state)
{
    (void)state;
    recording m;
    begin_recording(&m);
    double force[CONTACTS] = {0}, velocity[BALLS] = {1};
    crm_sample sample = {.force = force,
                         .stored_energy = force,
                         .closing_speed = force,
                         .impulse = force,
                         .velocity = velocity};
    crm_impact_frames_add(&m.frames, m.model, &m.subset, &sample);
    velocity[0] = 2;
    crm_impact_frames_add(&m.frames, m.model, &m.subset, &sample);
    assert_int_equal(m.frames.count, 1);
    assert_int_equal(m.frames.samples, 1);
    assert_true(crm_frames_values(&m.frames, CRM_IMPACT_FRAMES_VELOCITY, 0)[0] == 2);
    end_recording(&m);
}

/* ---- Extracts ------------------------------------------------------------------------------- */

static crm_scenario *read_scenario(const char *text)
{
    crm_scenario *scenario = NULL;
    crm_tree *tree = NULL;
    crm_read_error error = {0};
    crm_yaml_limits limits = crm_yaml_limits_default();
    assert_int_equal(crm_yaml_parse(text, strlen(text), "test", &limits, &tree, &error), CRM_OK);
    if (crm_scenario_from_tree(tree, &scenario, &error) != CRM_OK) {
        fail_msg("%s", error.text);
    }
    return scenario;
}

/* Contacts from the projectile to every body, by going round until nothing changes. */
static size_t *distances(const crm_model *model, size_t from)
{
    size_t bodies = crm_model_bodies(model);
    size_t *distance = malloc(bodies * sizeof *distance);
    assert_non_null(distance);
    for (size_t i = 0; i < bodies; i++) {
        distance[i] = i == from ? 0 : bodies;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t j = 0; j < crm_model_contacts(model); j++) {
            size_t a = crm_model_party(model, j, 0), b = crm_model_party(model, j, 1);
            if (a < bodies && b < bodies && distance[a] > distance[b] + 1) {
                distance[a] = distance[b] + 1;
                changed = true;
            } else if (a < bodies && b < bodies && distance[b] > distance[a] + 1) {
                distance[b] = distance[a] + 1;
                changed = true;
            }
        }
    }
    return distance;
}

static void an_extract_is_what_the_blow_reaches_first(void **state)
{
    (void)state;
    enum { MOST = 200 };
    crm_scenario *s =
        read_scenario("packing: {lattice: hexagonal, columns: 30, rows: 31, walls: box, "
                      "projectile: {velocity: [0, -1], over: 7}}\n");
    size_t bodies = crm_model_bodies(s->model), outside = bodies, inside = 0;
    crm_model_subset e;
    assert_int_equal(crm_model_subset_make(s->model, s->velocity, MOST, &e, NULL), CRM_OK);
    assert_in_range(e.body_count, MOST / 2, MOST);
    assert_in_range(e.contact_count, 2 * MOST - 10, 2 * MOST);
    assert_false(e.whole);
    size_t *distance = distances(s->model, bodies - 1);
    for (size_t i = 0, k = 0; i < bodies; i++) {
        bool taken = k < e.body_count && e.bodies[k] == i;
        k += taken;
        inside = taken && distance[i] > inside ? distance[i] : inside;
        outside = !taken && distance[i] < outside ? distance[i] : outside;
    }
    assert_true(inside <= outside);
    assert_int_equal(e.coordinate_count, 2 * e.body_count);
    /* The contacts are those between them. */
    for (size_t j = 0, k = 0; j < crm_model_contacts(s->model); j++) {
        bool within = true;
        for (int side = 0; side < 2; side++) {
            size_t party = crm_model_party(s->model, j, side), i = 0;
            while (i < e.body_count && e.bodies[i] != party) {
                i++;
            }
            within = within && (party >= bodies || i < e.body_count);
        }
        bool taken = k < e.contact_count && e.contacts[k] == j;
        k += taken;
        assert_int_equal(taken, within);
    }
    free(distance);
    crm_model_subset_free(&e);
    crm_scenario_free(s);
}

/* ---- Layouts -------------------------------------------------------------------------------- */

/* Bodies that touch in the model touch in the layout. */
static void check_layout(const char *text, size_t contacts, size_t walls)
{
    static const double NEAR = 1e-9;
    crm_scenario *s = read_scenario(text);
    size_t bodies = crm_model_bodies(s->model);
    size_t *all = malloc(bodies * sizeof *all);
    for (size_t i = 0; i < bodies; i++) {
        all[i] = i;
    }
    crm_layout l;
    crm_read_error error;
    assert_int_equal(crm_layout_make(s, all, bodies, &l, &error), CRM_OK);
    assert_int_equal(l.count, bodies);
    assert_int_equal(l.wall_count, walls);
    size_t touching = 0;
    for (size_t j = 0; j < crm_model_contacts(s->model); j++) {
        size_t a = crm_model_party(s->model, j, 0), b = crm_model_party(s->model, j, 1);
        double sum = 0;
        for (size_t d = 0; d < l.dimension && a < bodies && b < bodies; d++) {
            double away = l.bodies[a].position[d] - l.bodies[b].position[d];
            sum += away * away;
        }
        if (a < bodies && b < bodies) {
            double reach = l.bodies[a].radius + l.bodies[b].radius;
            assert_true(fabs(sqrt(sum) / reach - 1) < NEAR);
            touching++;
        }
    }
    assert_int_equal(touching, contacts);
    /* Nothing stands out of a wall, and something touches each. */
    for (size_t k = 0; k < l.wall_count; k++) {
        double least = INFINITY;
        for (size_t i = 0; i < l.count; i++) {
            double gap = -l.bodies[i].radius;
            for (size_t d = 0; d < l.dimension; d++) {
                gap += (l.bodies[i].position[d] - l.walls[k].point[d]) * l.walls[k].normal[d];
            }
            least = fmin(least, gap);
        }
        assert_true(fabs(least) < NEAR);
    }
    crm_layout_free(&l);
    free(all);
    crm_scenario_free(s);
}

static void bodies_that_touch_are_drawn_touching(void **state)
{
    (void)state;
    check_layout("chain: {count: 4, radius: [1, 2, 3, 0.5], velocity: [1], wall: right}\n", 3, 1);
    /* 4 + 3 + 4 balls: 3 + 2 + 3 within the rows, 6 + 6 between them; the projectile on a ball. */
    check_layout("packing: {lattice: hexagonal, columns: 4, rows: 3, radius: 0.1, walls: box, "
                 "projectile: {velocity: [0, -1], over: 2, radius: 0.3, mass: 1}}\n",
                 21, 3);
    /* 4 + 3 + 2 + 1 balls: 3 + 2 + 1 within the rows, two below each ball but those of the lowest.
     */
    check_layout("packing: {lattice: rack, rows: 4, walls: floor}\n", 18, 1);
    check_layout("packing: {lattice: square, columns: 3, rows: 3, walls: floor}\n", 12, 1);
    check_layout("packing: {lattice: cubic, columns: 2, rows: 2, layers: 2, walls: box}\n", 12, 5);
    /* 9 + 4 + 9: 12 + 4 + 12 within, 16 + 16 between; the projectile lies in a hollow of four. */
    check_layout("packing: {lattice: fcc, columns: 3, rows: 3, layers: 3, walls: floor, "
                 "projectile: {velocity: [0, 0, -1], over: [1.5, 1.5]}}\n",
                 64, 1);
    check_layout("bodies:\n - {radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n"
                 " - {radius: 1, position: [2, 0], fixed: true}\n"
                 " - {radius: 1, mass: 1, position: [0, 2]}\n",
                 1, 0);
}

static void a_part_of_a_packing_is_where_it_is_in_the_whole(void **state)
{
    (void)state;
    crm_scenario *s = read_scenario("packing: {lattice: hexagonal, columns: 5, rows: 4, "
                                    "projectile: {velocity: [0, -1]}}\n");
    /* Rows of 5, 4, 5, 4 balls; ball 8 (from 0) is the last of the second, 18 the projectile over
     * the middle of the fourth, which begins a diameter from the left.
     */
    static const size_t some[] = {0, 8, 18};
    crm_layout l;
    crm_read_error error;
    assert_int_equal(crm_layout_make(s, some, 3, &l, &error), CRM_OK);
    assert_int_equal(l.count, 3);
    assert_true(fabs(l.bodies[1].position[0] - (8)) < 1e-12);
    assert_true(fabs(l.bodies[1].position[1] - (1 + sqrt(3))) < 1e-12);
    assert_true(fabs(l.bodies[2].position[0] - (5)) < 1e-12);
    assert_true(fabs(l.bodies[2].position[1] - (1 + 4 * sqrt(3))) < 1e-12);
    crm_layout_free(&l);
    crm_scenario_free(s);
}

/* ---- Pages ---------------------------------------------------------------------------------- */

static void the_data_of_a_page_is_what_is_printed(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml",
             "title: '</script><!-- & > '\nlaws: [lzb, moreau, binary]\n"
             "chain: {count: 4, velocity: [1], restitution: 0.9, energy: 0.01}\n");
    assert_int_equal(shell(f, "$carom solve c.yaml --set chain.count=5 -f json --report p.html"),
                     0);
    char *raw;
    json_t *data = page_data(f, "p.html", &raw), *printed = json_loads(f->out, 0, NULL);
    assert_non_null(printed);
    const char *command = json_string_value(
        json_object_get(json_object_get(json_object_get(data, "report"), "source"), "command"));
    assert_string_equal(command, "carom solve c.yaml --set chain.count=5");
    json_object_del(data, "report");
    json_object_del(data, "histories");
    assert_true(json_equal(data, printed));
    assert_null(strpbrk(raw, "<>&"));
    free(raw);
    json_decref(data);
    json_decref(printed);
}

static void the_data_of_the_record_is_what_is_printed(void **state)
{
    fixture *f = *state;
    put_file(f, "i.yaml",
             "name: i\nsource: a\ntitle: b\n"
             "scenario: {laws: [newton], chain: {count: 2, velocity: [1]}}\n"
             "published: [{quantity: 'velocity[2]', value: 1}]\n");
    assert_int_equal(shell(f, "$carom reproduce ./i.yaml -q -f json --report p.html"), 0);
    json_t *data = page_data(f, "p.html", NULL), *printed = json_loads(f->out, 0, NULL);
    assert_non_null(printed);
    json_object_del(data, "report");
    json_object_del(data, "carom");
    assert_true(json_equal(data, printed));
    json_decref(data);
    json_decref(printed);
}

static void a_page_is_whole_or_not_there(void **state)
{
    fixture *f = *state;
    put_file(f, "c.yaml", "chain: {count: 3, velocity: [1]}\n");
    assert_int_equal(shell(f, "$carom solve c.yaml --report p.txt"), 2);
    assert_non_null(strstr(f->err, "must be a file that ends in .html"));
    assert_int_equal(shell(f, "$carom solve c.yaml --report no/p.html"), 5);
    assert_int_equal(shell(f, "$carom solve c.yaml -o p.html --report p.html"), 2);
    assert_false(is_there(f, "p.html"));
    assert_int_equal(shell(f, "$carom solve - --report p.html < c.yaml"), 0);
    char *page = get_file(f, "p.html");
    assert_non_null(strstr(page, "</html>\n"));
    assert_null(strstr(page, "http://"));
    free(page);
}

/* ---- The wave ------------------------------------------------------------------------------- */

/* When each contact stores most, read as the page reads it. */
static void find_peaks(const json_t *frames, double *when, size_t contacts)
{
    const json_t *track = json_object_get(frames, "energy"),
                 *rows = json_object_get(track, "frames");
    long *now = calloc(contacts, sizeof *now), *most = calloc(contacts, sizeof *most);
    for (size_t row = 0; row < json_array_size(rows); row++) {
        const json_t *list = json_array_get(rows, row);
        for (size_t k = 0; k < json_array_size(list);) {
            size_t start = (size_t)json_integer_value(json_array_get(list, k));
            size_t count = (size_t)json_integer_value(json_array_get(list, k + 1));
            for (size_t i = 0; i < count; i++) {
                now[start + i] = json_integer_value(json_array_get(list, k + 2 + i));
            }
            k += 2 + count;
        }
        for (size_t j = 0; j < contacts; j++) {
            if (now[j] > most[j]) {
                most[j] = now[j];
                when[j] = json_number_value(json_array_get(json_object_get(frames, "time"), row));
            }
        }
    }
    free(now);
    free(most);
}

/* Contacts per second by least squares. */
static double slope(const double *when, size_t first, size_t last)
{
    double n = (double)(last - first), t = 0, x = 0, tt = 0, tx = 0;
    for (size_t j = first; j < last; j++) {
        t += when[j];
        x += (double)j;
        tt += when[j] * when[j];
        tx += when[j] * (double)j;
    }
    return (n * tx - t * x) / (n * tt - t * t);
}

/* V. F. Nesterenko, Dynamics of Heterogeneous Materials (2001), ch. 1: a solitary wave of peak
 * force F in beads of diameter a travels at V = 0.6802 (2E / (a rho^{3/2} (1 - nu^2)))^{1/3}
 * F^{1/6}, in the approximation of long waves. It is five beads long, and the next term of the
 * expansion in the bead's size changes the speed by about a percent.
 */
static void the_wave_of_fifty_beads_has_the_speed_of_nesterenko(void **state)
{
    fixture *f = *state;
    enum { CONTACTS_50 = 49, FIRST = 12, LAST = 42 };
    static const double LONG_WAVES = 0.02;
    const double young = 203e9, poisson = 0.3, density = 7780, radius = 0.01;
    put_file(f, "w.yaml",
             "materials: {steel: {young: 203e9, poisson: 0.3, density: 7780}}\n"
             "chain: {count: 50, radius: 0.01, material: steel, velocity: [1], restitution: 1}\n");
    assert_int_equal(shell(f, "$carom solve w.yaml --report w.html -o w.json"), 0);
    json_t *data = page_data(f, "w.html", NULL);
    double when[CONTACTS_50];
    find_peaks(json_array_get(json_object_get(data, "histories"), 0), when, CONTACTS_50);
    double measured = 2 * radius * slope(when, FIRST, LAST);
    const json_t *result = json_array_get(json_object_get(data, "results"), 0);
    double force = json_number_value(json_array_get(json_object_get(result, "peak_force"), 25));
    double expected =
        0.6802 *
        cbrt(2 * young / (2 * radius * density * sqrt(density) * (1 - poisson * poisson))) *
        pow(force, 1.0 / 6);
    printf("wave of 50 steel beads: %.1f m/s in the map, %.1f m/s by Nesterenko\n", measured,
           expected);
    assert_true(fabs(measured / expected - 1) < LONG_WAVES);
    json_decref(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_that_is_thinned_keeps_every_peak),
        cmocka_unit_test(frames_that_are_kept_are_as_they_were),
        cmocka_unit_test(a_curve_through_frames_has_its_extremes),
        cmocka_unit_test(lines_between_kept_instants_tell_the_rest),
        cmocka_unit_test(of_two_samples_at_one_time_the_later_counts),
        cmocka_unit_test(an_extract_is_what_the_blow_reaches_first),
        cmocka_unit_test(bodies_that_touch_are_drawn_touching),
        cmocka_unit_test(a_part_of_a_packing_is_where_it_is_in_the_whole),
        cmocka_unit_test_setup_teardown(the_data_of_a_page_is_what_is_printed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_data_of_the_record_is_what_is_printed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_page_is_whole_or_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_wave_of_fifty_beads_has_the_speed_of_nesterenko, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

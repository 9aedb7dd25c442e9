/* The order of elimination: separators separate, orders are orders, and cost what they are said to
 * cost; nested dissection is about as good as that of METIS.
 */
#ifdef CAROM_HAVE_CHOLMOD
#include <cholmod.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lcp/order/dissect.h"
#include "lcp/order/order.h"
#include "lcp/order/postorder.h"
#include "lcp/order/separate.h"
#include "support.h"

/* ---- Graphs ---------------------------------------------------------------------------------- */

typedef struct graph {
    size_t size;
    size_t *start;
    uint32_t *column;
} graph;

static crm_lcp_pattern pattern_of(const graph *g)
{
    return (crm_lcp_pattern){g->size, g->start, g->column};
}

static void graph_free(graph *g)
{
    test_free(g->start);
    test_free(g->column);
}

/* Contacts that share a ball. */
static graph packed(crm_lattice lattice, size_t side)
{
    crm_packing_def def = crm_packing_def_default();
    crm_model *model = NULL;
    def.lattice = lattice;
    def.columns = def.rows = side;
    def.layers = crm_lattice_dimension(lattice) == 3 ? side : 0;
    def.walls = CRM_PACKING_FLOOR;
    assert_int_equal(crm_model_from_packing(&def, &model, NULL), CRM_OK);
    graph g = {.size = crm_model_contacts(model)};
    size_t count, entry = 0;
    const uint32_t *column;
    const double *value;
    g.start = test_calloc(g.size + 1, sizeof *g.start);
    for (size_t j = 0; j < g.size; j++) {
        crm_model_delassus_row(model, j, &count, &column, &value);
        g.start[j + 1] = g.start[j] + count;
    }
    g.column = test_calloc(g.start[g.size], sizeof *g.column);
    for (size_t j = 0; j < g.size; j++) {
        crm_model_delassus_row(model, j, &count, &column, &value);
        for (size_t k = 0; k < count; k++) {
            g.column[entry++] = column[k];
        }
    }
    crm_model_free(model);
    return g;
}

/* Edges at random, with nodes that have none and parts that do not hang together. */
static graph scattered(size_t size, size_t edges, rng *r)
{
    bool *joined = test_calloc(size * size, sizeof *joined);
    for (size_t k = 0; k < edges; k++) {
        size_t i = (size_t)rng_uniform(r, 0, (double)size),
               j = (size_t)rng_uniform(r, 0, (double)size);
        joined[i * size + j] = joined[j * size + i] = true;
    }
    graph g = {.size = size};
    g.start = test_calloc(size + 1, sizeof *g.start);
    g.column = test_calloc(2 * edges + 1, sizeof *g.column);
    size_t entry = 0;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            if (joined[i * size + j]) {
                g.column[entry++] = (uint32_t)j;
            }
        }
        g.start[i + 1] = entry;
    }
    test_free(joined);
    return g;
}

/* ---- Separators ------------------------------------------------------------------------------ */

static size_t check_separator(const graph *g)
{
    crm_pool pool = {0};
    crm_lcp_graph whole;
    crm_lcp_pattern pattern = pattern_of(g);
    uint32_t *node = test_calloc(g->size, sizeof *node),
             *local = test_calloc(g->size, sizeof *local);
    uint8_t *side = test_calloc(g->size, 1);
    size_t count[3] = {0};
    for (size_t i = 0; i < g->size; i++) {
        node[i] = (uint32_t)i;
        local[i] = UINT32_MAX;
    }
    assert_true(crm_lcp_graph_among(&pool, &pattern, node, (uint32_t)g->size, local, &whole));
    assert_true(crm_lcp_separate(&pool, &whole, 1, NULL, side));
    for (size_t i = 0; i < g->size; i++) {
        assert_true(side[i] <= CRM_LCP_BETWEEN);
        count[side[i]]++;
        for (size_t m = g->start[i]; m < g->start[i + 1]; m++) {
            assert_false(side[i] == CRM_LCP_LEFT && side[g->column[m]] == CRM_LCP_RIGHT);
        }
    }
    assert_true(count[CRM_LCP_LEFT] <= 0.58 * (double)g->size);
    assert_true(count[CRM_LCP_RIGHT] <= 0.58 * (double)g->size);
    crm_pool_release(&pool);
    test_free(node);
    test_free(local);
    test_free(side);
    return count[CRM_LCP_BETWEEN];
}

/* A row of balls has two contacts with the next row for each ball, and one within it. */
static void test_separators_separate(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    graph g = packed(CRM_LATTICE_HEXAGONAL, 60);
    assert_true(check_separator(&g) <= 3 * 60);
    graph_free(&g);
    for (size_t count = 0; count < 20; count++) {
        g = scattered(500, 100 + 60 * count, &r);
        check_separator(&g);
        graph_free(&g);
    }
}

/* ---- Orders ---------------------------------------------------------------------------------- */

static void assert_order(const uint32_t *order, size_t size)
{
    bool *seen = test_calloc(size, sizeof *seen);
    for (size_t k = 0; k < size; k++) {
        assert_true(order[k] < size && !seen[order[k]]);
        seen[order[k]] = true;
    }
    test_free(seen);
}

/* By elimination on a full matrix: the sum of the squares of the columns' entries. */
static double work_by_elimination(const graph *g, const uint32_t *order)
{
    size_t n = g->size;
    bool *full = test_calloc(n * n, sizeof *full);
    uint32_t *place = test_calloc(n, sizeof *place);
    double work = 0;
    for (size_t k = 0; k < n; k++) {
        place[order[k]] = (uint32_t)k;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t m = g->start[i]; m < g->start[i + 1]; m++) {
            full[place[i] * n + place[g->column[m]]] = true;
        }
    }
    for (size_t k = 0; k < n; k++) {
        double entries = 1;
        for (size_t i = k + 1; i < n; i++) {
            entries += full[k * n + i];
            for (size_t j = k + 1; j < n && full[k * n + i]; j++) {
                full[i * n + j] |= full[k * n + j];
            }
        }
        work += entries * entries;
    }
    test_free(full);
    test_free(place);
    return work;
}

static void test_the_work_is_that_of_elimination(void **state)
{
    (void)state;
    rng r = rng_seeded(12);
    for (size_t count = 0; count < 12; count++) {
        graph g = count == 0 ? packed(CRM_LATTICE_FCC, 5) : scattered(600, 200 + 100 * count, &r);
        crm_lcp_pattern pattern = pattern_of(&g);
        uint32_t *order = test_calloc(g.size, sizeof *order);
        double before, after, entries;
        assert_int_equal(crm_lcp_dissect(&pattern, NULL, order, NULL), CRM_OK);
        assert_order(order, g.size);
        before = work_by_elimination(&g, order);
        assert_int_equal(crm_lcp_postorder(&pattern, NULL, count % 2, order, NULL), CRM_OK);
        assert_order(order, g.size);
        assert_int_equal(crm_lcp_order_work(&pattern, NULL, order, &after, &entries, NULL), CRM_OK);
        assert_true(after == work_by_elimination(&g, order));
        assert_true(after == before); /* it is the same elimination */
        test_free(order);
        graph_free(&g);
    }
}

/* In a postorder a column's parent, the first below its diagonal, is the next column or the root of
 * a later subtree: none is skipped that has a child on both sides.
 */
static void test_subtrees_are_without_gaps(void **state)
{
    (void)state;
    graph g = packed(CRM_LATTICE_HEXAGONAL, 16);
    crm_lcp_pattern pattern = pattern_of(&g);
    size_t n = g.size;
    uint32_t *order = test_calloc(n, sizeof *order), *place = test_calloc(n, sizeof *place);
    uint32_t *first = test_calloc(n, sizeof *first), *parent = test_calloc(n, sizeof *parent);
    bool *full = test_calloc(n * n, sizeof *full);
    assert_int_equal(crm_lcp_dissect(&pattern, NULL, order, NULL), CRM_OK);
    assert_int_equal(crm_lcp_postorder(&pattern, NULL, CRM_LCP_SMALLEST_FIRST, order, NULL),
                     CRM_OK);
    for (size_t k = 0; k < n; k++) {
        place[order[k]] = (uint32_t)k;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t m = g.start[i]; m < g.start[i + 1]; m++) {
            full[place[i] * n + place[g.column[m]]] = true;
        }
    }
    for (size_t k = 0; k < n; k++) { /* first: the least node of the subtree */
        first[k] = (uint32_t)k;
        parent[k] = UINT32_MAX;
    }
    for (size_t k = 0; k < n; k++) {
        size_t nodes = 1;
        for (size_t i = 0; i < k; i++) {
            if (parent[i] == k) {
                nodes += i - first[i] + 1;
                first[k] = first[i] < first[k] ? first[i] : first[k];
            }
        }
        assert_int_equal(nodes, k - first[k] + 1);
        for (size_t i = k + 1; i < n; i++) {
            for (size_t j = k + 1; j < n && full[k * n + i]; j++) {
                full[i * n + j] |= full[k * n + j];
            }
            parent[k] = full[k * n + i] && parent[k] == UINT32_MAX ? (uint32_t)i : parent[k];
        }
    }
    test_free(order);
    test_free(place);
    test_free(first);
    test_free(parent);
    test_free(full);
    graph_free(&g);
}

/* METIS' order, by CHOLMOD; 0: not available. */
#ifdef CAROM_HAVE_CHOLMOD
static double work_of_metis(const graph *g)
{
    cholmod_common common;
    cholmod_start(&common);
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    cholmod_sparse *upper = cholmod_allocate_sparse(g->size, g->size, g->start[g->size], 0, 1, 1,
                                                    CHOLMOD_PATTERN, &common);
    assert_non_null(upper);
    int *start = upper->p, *row = upper->i, entry = 0;
    for (size_t j = 0; j < g->size; j++) {
        start[j] = entry;
        for (size_t m = g->start[j]; m < g->start[j + 1]; m++) {
            if (g->column[m] <= j) {
                row[entry++] = (int)g->column[m];
            }
        }
    }
    start[g->size] = entry;
    cholmod_factor *factor = cholmod_analyze(upper, &common);
    double work = factor != NULL ? common.fl : 0;
    cholmod_free_factor(&factor, &common);
    cholmod_free_sparse(&upper, &common);
    cholmod_finish(&common);
    return work;
}
#else
static double work_of_metis(const graph *g)
{
    (void)g;
    return 0;
}
#endif

static void test_orders_are_as_good_as_those_of_metis(void **state)
{
    (void)state;
    const struct {
        crm_lattice lattice;
        size_t side;
    } cases[] = {{CRM_LATTICE_HEXAGONAL, 120}, {CRM_LATTICE_HEXAGONAL, 160}, {CRM_LATTICE_FCC, 15}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        graph g = packed(cases[k].lattice, cases[k].side);
        crm_lcp_pattern pattern = pattern_of(&g);
        uint32_t *order = test_calloc(g.size, sizeof *order);
        double work, entries, peer = work_of_metis(&g);
        assert_int_equal(crm_lcp_dissect(&pattern, NULL, order, NULL), CRM_OK);
        assert_int_equal(crm_lcp_order_work(&pattern, NULL, order, &work, &entries, NULL), CRM_OK);
        if (peer > 0) {
            print_message("%zu contacts: %.3g operations, METIS %.3g\n", g.size, work, peer);
            assert_true(work <= 1.4 * peer);
        }
        test_free(order);
        graph_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separators_separate),
        cmocka_unit_test(test_the_work_is_that_of_elimination),
        cmocka_unit_test(test_subtrees_are_without_gaps),
        cmocka_unit_test(test_orders_are_as_good_as_those_of_metis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

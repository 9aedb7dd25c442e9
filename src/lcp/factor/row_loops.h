/* Rows: the loops of row.c, for each width of vectors (base/loops.h). */

static crm_twofold WIDE(row_dot)(size_t blocks, const double *a, const double *b)
{
    double parts[CRM_ROW_BLOCK];
    lanes sum = {(eight){0}, (eight){0}}, x, y;
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        load(&y, b + k * CRM_ROW_BLOCK);
        multiply(&x, &x, &y);
        add(&sum, &x);
    }
    store(parts, &sum);
    return fold(parts);
}

static void WIDE(row_add)(size_t blocks, double *a, crm_twofold factor, const double *b)
{
    lanes f, x, y;
    spread(&f, factor);
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        load(&y, b + k * CRM_ROW_BLOCK);
        multiply(&y, &f, &y);
        add(&x, &y);
        store(a + k * CRM_ROW_BLOCK, &x);
    }
}

static void WIDE(row_scale)(size_t blocks, crm_twofold factor, const double *a, double *out)
{
    lanes f, x;
    spread(&f, factor);
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        multiply(&x, &f, &x);
        store(out + k * CRM_ROW_BLOCK, &x);
    }
}

static void WIDE(row_rotate)(size_t blocks, crm_twofold c, crm_twofold s, double *a, double *b)
{
    lanes cosine, sine, opposite, x, y, first, second, part;
    spread(&cosine, c);
    spread(&sine, s);
    spread(&opposite, crm_twofold_negative(s));
    for (size_t k = 0; k < blocks; k++) {
        load(&x, a + k * CRM_ROW_BLOCK);
        load(&y, b + k * CRM_ROW_BLOCK);
        multiply(&first, &cosine, &x);
        multiply(&part, &sine, &y);
        add(&first, &part);
        multiply(&second, &cosine, &y);
        multiply(&part, &opposite, &x);
        add(&second, &part);
        store(a + k * CRM_ROW_BLOCK, &first);
        store(b + k * CRM_ROW_BLOCK, &second);
    }
}

static double WIDE(row_rough_dot)(size_t blocks, const double *a, const double *b)
{
    double parts[CRM_ROW_LANES], total = 0;
    eight sum = {0};
    for (size_t k = 0; k < blocks; k++) {
        sum += *(const eight *)(a + k * CRM_ROW_BLOCK) * *(const eight *)(b + k * CRM_ROW_BLOCK);
    }
    *(eight *)parts = sum;
    for (size_t i = 0; i < CRM_ROW_LANES; i++) {
        total += parts[i];
    }
    return total;
}

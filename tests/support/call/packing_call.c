#include "packing_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

crm_packing_def packing_of(crm_lattice lattice, size_t columns, size_t rows, size_t layers)
{
    crm_packing_def def = crm_packing_def_default();
    def.lattice = lattice;
    def.columns = columns;
    def.rows = rows;
    def.layers = layers;
    return def;
}

crm_model *packing_model(const crm_packing_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_packing(def, &model, &error), &error);
    return model;
}

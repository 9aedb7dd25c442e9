/* Chains and bodies for tests: see model_call.h. */
#include "model_call.h"

#include "compare.h"

crm_model *chain_model(const crm_chain_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(def, &model, &error), &error);
    return model;
}

crm_body_def ball_at(double radius, double mass, double x, double y, double z)
{
    crm_body_def ball = crm_body_def_default();
    ball.radius = radius;
    ball.mass = mass;
    ball.position[0] = x;
    ball.position[1] = y;
    ball.position[2] = z;
    return ball;
}

crm_bodies_def bodies_def(unsigned dimension, const crm_body_def *bodies, size_t count)
{
    crm_bodies_def def = crm_bodies_def_default();
    def.dimension = dimension;
    def.bodies = bodies;
    def.body_count = count;
    return def;
}

#include "friction_model.h"

crm_model *friction_make_model(const friction_case *c, crm_error *error)
{
    crm_system_def def = crm_system_def_default();
    def.coordinates = c->n;
    def.contacts = c->s;
    def.mass_dense = c->mass;
    def.w_dense = c->w;
    def.t_dense = c->t;
    def.tangents = (unsigned)c->dim;
    def.stiffness = c->stiffness;
    def.exponent = c->exponent;
    def.restitution = c->restitution;
    def.friction = c->friction;
    def.boundary_velocity = c->wall_normal;
    def.tangential_velocity = c->wall_tangent;
    crm_model *model = NULL;
    return crm_model_from_system(&def, &model, error) == CRM_OK ? model : NULL;
}

#include "base/arithmetic.h"

void crm_arithmetic_change(crm_arithmetic *arithmetic)
{
    fegetenv(&arithmetic->own);
    fesetenv(FE_DFL_ENV);
}

void crm_arithmetic_restore(crm_arithmetic *arithmetic)
{
    fesetenv(&arithmetic->own);
}

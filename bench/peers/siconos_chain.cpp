// The chain of P1 section 4.3 as Siconos computes it: its MultipleImpact problem (the LZB law on
// the impulse scale) inside an event-driven simulation that starts just before the first touch.
//
//     siconos_chain BEADS IMPULSE_STEP    prints: result FIRST LAST ENERGY_ERROR CPU_SECONDS
#include <SiconosKernel.hpp>
#include <MultipleImpact.hpp>
#include <MultipleImpactNSL.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static const double RADIUS = 0.01, YOUNG = 203e9, POISSON = 0.3, DENSITY = 7780;
static const double GAP = 1e-4; // of the first bead, which moves at 1 m/s

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static SP::LagrangianLinearTIDS bead(double mass, double position, double speed)
{
    SP::SiconosVector q(new SiconosVector(1)), v(new SiconosVector(1));
    SP::SimpleMatrix m(new SimpleMatrix(1, 1));
    (*q)(0) = position;
    (*v)(0) = speed;
    (*m)(0, 0) = mass;
    return SP::LagrangianLinearTIDS(new LagrangianLinearTIDS(q, v, m));
}

static SP::Interaction contact(double stiffness)
{
    SP::SimpleMatrix h(new SimpleMatrix(1, 2));
    SP::SiconosVector b(new SiconosVector(1));
    (*h)(0, 0) = -1;
    (*h)(0, 1) = 1;
    (*b)(0) = -2 * RADIUS;
    SP::NonSmoothLaw law(new MultipleImpactNSL(1.0, stiffness, 1.5, 1));
    return SP::Interaction(new Interaction(law, SP::Relation(new LagrangianLinearTIR(h, b))));
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    const size_t beads = std::strtoul(argv[1], nullptr, 10);
    const double step = std::strtod(argv[2], nullptr);
    const double mass = DENSITY * 4.0 / 3.0 * M_PI * std::pow(RADIUS, 3);
    const double stiffness =
        4.0 / 3.0 * std::sqrt(RADIUS / 2) * YOUNG / (2 * (1 - POISSON * POISSON));

    SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, 3 * GAP));
    std::vector<SP::LagrangianLinearTIDS> all;
    for (size_t i = 0; i < beads; i++) {
        all.push_back(bead(mass, 2 * RADIUS * i - (i == 0 ? GAP : 0), i == 0 ? 1 : 0));
        system->insertDynamicalSystem(all[i]);
        if (i > 0) {
            system->link(contact(stiffness), all[i - 1], all[i]);
        }
    }
    SP::MultipleImpact impact(new MultipleImpact("BiStiffness", step));
    impact->SetNstepMax(2000000000);
    impact->setTolImpact(1e-300);
    impact->SetTolVel(1e-14);
    impact->SetTolEner(1e-25);
    impact->SetZeroVelEndImp(1e-9);
    impact->SetZeroEnerEndImp(1e-18);
    SP::EventDriven run(
        new EventDriven(system, SP::TimeDiscretisation(new TimeDiscretisation(0, 2 * GAP))));
    run->insertIntegrator(SP::LsodarOSI(new LsodarOSI()));
    run->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
    run->insertNonSmoothProblem(SP::LCP(new LCP()), SICONOS_OSNSP_ED_SMOOTH_ACC);
    run->initialize();
    double begin = cpu_seconds();
    while (run->hasNextEvent()) {
        run->advanceToEvent();
        run->processEvents();
    }
    double seconds = cpu_seconds() - begin, energy = 0;
    for (const auto &b : all) {
        energy += (*b->velocity())(0) * (*b->velocity())(0);
    }
    std::printf("result %.15g %.15g %.3e %.6g\n", (*all.front()->velocity())(0),
                (*all.back()->velocity())(0), energy - 1, seconds);
    return 0;
}

// Beads on a line, with gravity and a wall, moved by Siconos: event-driven (LSODAR) or by the
// Moreau-Jean scheme. Newton's impact law, one restitution for all contacts.
//
//     siconos_motion SCENE events            SCENE is a file of numbers:
//     siconos_motion SCENE steps STEP            beads gravity restitution wall duration parts
//                                                mass radius position velocity   of each bead
//
// A wall (1) is at 0, below the first bead. Prints, at the end of each of the equal parts of the
// duration, `state TIME POSITION ... VELOCITY ...`, and last `cpu SECONDS` of the run.
#include <SiconosKernel.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

struct Bead {
    double mass, radius, position, velocity;
};

struct Scene {
    unsigned long beads;
    double gravity, restitution;
    int wall;
    double duration;
    unsigned parts;
    std::vector<Bead> bead;
};

static bool read_scene(const char *path, Scene &s)
{
    std::FILE *file = std::fopen(path, "r");
    bool good = file != nullptr && std::fscanf(file, "%lu %lf %lf %d %lf %u", &s.beads, &s.gravity,
                                               &s.restitution, &s.wall, &s.duration, &s.parts) == 6;
    for (unsigned long i = 0; good && i < s.beads; i++) {
        Bead b;
        good =
            std::fscanf(file, "%lf %lf %lf %lf", &b.mass, &b.radius, &b.position, &b.velocity) == 4;
        s.bead.push_back(b);
    }
    if (file != nullptr) {
        std::fclose(file);
    }
    return good;
}

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static SP::LagrangianLinearTIDS make_bead(const Bead &b, double gravity)
{
    SP::SiconosVector q(new SiconosVector(1)), v(new SiconosVector(1)), f(new SiconosVector(1));
    SP::SimpleMatrix m(new SimpleMatrix(1, 1));
    (*q)(0) = b.position;
    (*v)(0) = b.velocity;
    (*m)(0, 0) = b.mass;
    (*f)(0) = -b.mass * gravity;
    SP::LagrangianLinearTIDS system(new LagrangianLinearTIDS(q, v, m));
    system->setFExtPtr(f);
    return system;
}

// The gap x2 - x1 - r1 - r2, or x1 - r1 above the wall.
static SP::Interaction make_contact(double restitution, double reach, bool wall)
{
    SP::SimpleMatrix h(new SimpleMatrix(1, wall ? 1 : 2));
    SP::SiconosVector b(new SiconosVector(1));
    (*h)(0, 0) = wall ? 1 : -1;
    if (!wall) {
        (*h)(0, 1) = 1;
    }
    (*b)(0) = -reach;
    SP::NonSmoothLaw law(new NewtonImpactNSL(restitution));
    return SP::Interaction(new Interaction(law, SP::Relation(new LagrangianLinearTIR(h, b))));
}

typedef std::vector<SP::LagrangianLinearTIDS> Beads;

static Beads fill(const Scene &s, SP::NonSmoothDynamicalSystem system)
{
    Beads all;
    for (const Bead &b : s.bead) {
        all.push_back(make_bead(b, s.gravity));
        system->insertDynamicalSystem(all.back());
    }
    if (s.wall) {
        system->link(make_contact(s.restitution, s.bead[0].radius, true), all[0]);
    }
    for (size_t i = 1; i < all.size(); i++) {
        double reach = s.bead[i - 1].radius + s.bead[i].radius;
        system->link(make_contact(s.restitution, reach, false), all[i - 1], all[i]);
    }
    return all;
}

static void print_state(const Beads &all, double time)
{
    std::printf("state %.17g", time);
    for (const auto &b : all) {
        std::printf(" %.17g", (*b->q())(0));
    }
    for (const auto &b : all) {
        std::printf(" %.17g", (*b->velocity())(0));
    }
    std::printf("\n");
}

static void run_events(const Scene &s, SP::NonSmoothDynamicalSystem system, const Beads &all)
{
    double part = s.duration / s.parts;
    SP::TimeDiscretisation times(new TimeDiscretisation(0, part));
    SP::EventDriven run(new EventDriven(system, times));
    run->insertIntegrator(SP::LsodarOSI(new LsodarOSI()));
    run->insertNonSmoothProblem(SP::LCP(new LCP()), SICONOS_OSNSP_ED_IMPACT);
    run->insertNonSmoothProblem(SP::LCP(new LCP()), SICONOS_OSNSP_ED_SMOOTH_ACC);
    run->initialize();
    unsigned told = 0;
    while (run->hasNextEvent() && told < s.parts) {
        run->advanceToEvent();
        run->processEvents();
        if (run->startingTime() >= (told + 1) * part * (1 - 1e-12)) {
            print_state(all, run->startingTime());
            told++;
        }
    }
}

static void run_steps(const Scene &s, SP::NonSmoothDynamicalSystem system, const Beads &all,
                      double step)
{
    SP::TimeDiscretisation times(new TimeDiscretisation(0, step));
    SP::MoreauJeanOSI integrator(new MoreauJeanOSI(0.5));
    SP::TimeStepping run(new TimeStepping(system, times, integrator, SP::LCP(new LCP())));
    unsigned long each = (unsigned long)(s.duration / s.parts / step + 0.5), done = 0;
    while (done < each * s.parts) {
        run->computeOneStep();
        run->nextStep();
        if (++done % each == 0) {
            print_state(all, done * step);
        }
    }
}

int main(int argc, char **argv)
{
    Scene scene;
    if (argc < 3 || !read_scene(argv[1], scene)) {
        return 2;
    }
    SP::NonSmoothDynamicalSystem system(
        new NonSmoothDynamicalSystem(0, scene.duration * (1 + 1e-9)));
    Beads all = fill(scene, system);
    double begin = cpu_seconds();
    if (std::string(argv[2]) == "events") {
        run_events(scene, system, all);
    } else {
        run_steps(scene, system, all, argc > 3 ? std::strtod(argv[3], nullptr) : 1e-4);
    }
    std::printf("cpu %.9g\n", cpu_seconds() - begin);
    return 0;
}

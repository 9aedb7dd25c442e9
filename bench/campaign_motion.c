/* campaign_motion [SCENES [FIRST [IMPACTS]]]: random scenes of boxes, rods, ellipses and discs
 * between walls, event-driven, by several laws. Counts those that fail, do not close their account,
 * gain energy or overlap; each is printed with its seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "motion_draw.h"

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(int count, char **argument)
{
    uint64_t scenes = count > 1 ? strtoull(argument[1], NULL, 10) : 200;
    uint64_t first = count > 2 ? strtoull(argument[2], NULL, 10) : 1;
    uint64_t impacts = count > 3 ? strtoull(argument[3], NULL, 10) : 2000;
    uint64_t off = 0, done = 0;
    for (uint64_t k = 0; k < scenes; k++) {
        drawn_scene scene;
        double begin = seconds();
        draw_scene(first + k, &scene);
        drawn_course c = follow_scene(&scene, impacts);
        const char *wrong = judge_course(&c);
        off += wrong != NULL ? 1 : 0;
        done += c.impacts;
        double took = seconds() - begin;
        if (wrong != NULL || took > 10) {
            printf("%llu: %zu bodies, %s, e = %.3f, t = %.6f, %llu impacts, error %.1e, gained "
                   "%.1e, gap %.1e, overlap %.1e, %.1f s: %s\n",
                   (unsigned long long)(first + k), scene.def.bodies.body_count, scene.law,
                   scene.restitution, c.time, (unsigned long long)c.impacts, c.error_part,
                   c.gained_part, c.penetration, c.overlap, took, wrong != NULL ? wrong : "slow");
            fflush(stdout);
        }
    }
    printf("%llu scenes, %llu impacts, %llu off, %.1f s\n", (unsigned long long)scenes,
           (unsigned long long)done, (unsigned long long)off, seconds());
    return off > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

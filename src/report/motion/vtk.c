/* States for ParaView: the bodies at one time as points (VTK's XML, PolyData), and the collection
 * that says which file is of which time.
 *
 * Numbers are written so that they read back as the same bits. Lists of a file are short enough to
 * be text, which is larger than binary but can be read.
 */
#include <stdlib.h>

#include "base/base.h"
#include "base/locale.h"
#include "report/motion.h"

typedef struct vtk_list {
    const char *name;
    size_t components, offset; /* in crm_pose */
} vtk_list;

static void begin_list(FILE *stream, const char *type, const char *name, size_t components)
{
    fprintf(stream,
            "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\" "
            "format=\"ascii\">\n",
            type, name, components);
}

static void end_list(FILE *stream)
{
    fputs("        </DataArray>\n", stream);
}

static void write_list(FILE *stream, const vtk_list *list, const crm_pose *poses, size_t count)
{
    begin_list(stream, "Float64", list->name, list->components);
    for (size_t i = 0; i < count; i++) {
        const double *values = (const double *)((const char *)&poses[i] + list->offset);
        for (size_t k = 0; k < list->components; k++) {
            crm_fprintf(stream, k > 0 ? " %.17g" : "%.17g", values[k]);
        }
        fputc('\n', stream);
    }
    end_list(stream);
}

/* first, first + 1, ... */
static void write_counts(FILE *stream, const char *name, size_t first, size_t count)
{
    begin_list(stream, "Int64", name, 1);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%zu\n", first + i);
    }
    end_list(stream);
}

/* Which bodies they are, from 1. */
static void write_numbers(FILE *stream, const crm_pose *poses, size_t count)
{
    begin_list(stream, "Int64", "body", 1);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%zu\n", poses[i].body + 1);
    }
    end_list(stream);
}

static void write_points(FILE *stream, const crm_pose *poses, size_t count)
{
    static const vtk_list lists[] = {{"radius", 1, offsetof(crm_pose, radius)},
                                     {"velocity", 3, offsetof(crm_pose, v)},
                                     {"spin", 3, offsetof(crm_pose, spin)},
                                     {"orientation", 4, offsetof(crm_pose, orientation)},
                                     {"extent", 3, offsetof(crm_pose, extent)}};
    static const vtk_list centres = {"position", 3, offsetof(crm_pose, x)};
    fputs("      <PointData Scalars=\"radius\" Vectors=\"velocity\">\n", stream);
    write_numbers(stream, poses, count);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        write_list(stream, &lists[i], poses, count);
    }
    fputs("      </PointData>\n      <Points>\n", stream);
    write_list(stream, &centres, poses, count);
    fputs("      </Points>\n", stream);
}

void crm_vtk_states(FILE *stream, double time, const crm_pose *poses, size_t count)
{
    crm_fprintf(stream,
                "<?xml version=\"1.0\"?>\n"
                "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                "  <PolyData>\n"
                "    <FieldData>\n"
                "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                "format=\"ascii\">%.17g</DataArray>\n"
                "    </FieldData>\n"
                "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" "
                "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                time, count, count);
    write_points(stream, poses, count);
    fputs("      <Verts>\n", stream);
    write_counts(stream, "connectivity", 0, count);
    write_counts(stream, "offsets", 1, count);
    fputs("      </Verts>\n    </Piece>\n  </PolyData>\n</VTKFile>\n", stream);
}

/* ---- The collection -------------------------------------------------------------------------- */

/* In an attribute. */
static void write_attribute(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '&' || letter == '<' || letter == '"' || letter < ' ') {
            fprintf(stream, "&#%u;", letter);
        } else {
            fputc(letter, stream);
        }
    }
}

void crm_vtk_collection_begin(FILE *stream)
{
    fputs("<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
          "  <Collection>\n",
          stream);
}

void crm_vtk_collection_entry(FILE *stream, double time, const char *file)
{
    crm_fprintf(stream, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"", time);
    write_attribute(stream, file);
    fputs("\"/>\n", stream);
}

void crm_vtk_collection_end(FILE *stream)
{
    fputs("  </Collection>\n</VTKFile>\n", stream);
}

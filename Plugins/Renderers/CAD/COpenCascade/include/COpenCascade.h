#ifndef COPENCASCADE_H
#define COPENCASCADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Open CASCADE speaks C++ alone, and its errors are objects that Swift cannot catch.

#ifdef __cplusplus
extern "C" {
#endif

enum copencascade_format {
    /// ISO 10303-21: shapes in exchange between all programs.
    copencascade_step,
    /// The Initial Graphics Exchange Specification, older, and often of surfaces without an inside.
    copencascade_iges,
    /// Open CASCADE's own, as text or as numbers.
    copencascade_brep,
};

enum copencascade_outcome {
    copencascade_done,
    /// The bytes are not what they should be, or cut off.
    copencascade_damaged,
    /// It was read, and nothing of it is a shape.
    copencascade_empty,
    /// There are more points or triangles than were asked for, or more shapes than are looked at.
    copencascade_too_large,
    copencascade_no_memory,
};

/// Triangles of one colour that follow one another.
struct copencascade_part {
    /// The first of its triangles. They go up to the first of the next part.
    size_t first_triangle;
    /// Red, green and blue in sRGB's code, and alpha, from 0 to 1.
    float colour[4];
    /// Whether the file names the colour.
    bool has_colour;
};

/// A shape as triangles. Its surfaces do not share points.
struct copencascade_model {
    size_t point_count, triangle_count, part_count;
    /// From one corner of the box around it to the other, in the unit of its points.
    double diagonal;
    /// Three numbers for each point, in millimetres, or in the file's own unit where it has none; z points up.
    const double *points;
    /// Three numbers for each point: where the surface looks there, outwards where the shape has an inside.
    const float *normals;
    /// Three numbers of points for each triangle, counterclockwise as seen from outside.
    const uint32_t *corners;
    const struct copencascade_part *parts;
};

/// Reads all shapes of a file. Not to be called from several threads at once.
///
/// path: of the file, which is only read. most: how many points, and how many triangles, are made. size: the diagonal of what it is
/// drawn with, where that is larger: it is divided no finer than that needs. Returns NULL when there is
/// nothing to be drawn, with the reason in `outcome`; else to be freed with copencascade_close.
const struct copencascade_model *copencascade_open(
    const char *path, enum copencascade_format format, size_t most, double size, enum copencascade_outcome *outcome);

/// Frees a model.
void copencascade_close(const struct copencascade_model *model);

/// Makes the tables that the first file would otherwise wait for. Returns false when there is no memory.
bool copencascade_warm_up(void);

#ifdef __cplusplus
}
#endif

#endif

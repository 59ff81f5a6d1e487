#ifndef CDRACO_H
#define CDRACO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libdraco has an interface in C++ only, and throws.

#ifdef __cplusplus
extern "C" {
#endif

/// Triangles that libdraco unpacked.
typedef struct cdraco_mesh cdraco_mesh;

/// Why something was not unpacked: its bytes are damaged, they hold points only, there is no memory for what they hold.
typedef enum { CDRACO_DAMAGED, CDRACO_NO_MESH, CDRACO_NO_MEMORY } cdraco_failure;

/// Unpacks triangles. The result is freed with cdraco_free; where it is NULL, failure says why.
cdraco_mesh *_Nullable cdraco_open(const void *_Nonnull bytes, size_t count, cdraco_failure *_Nonnull failure);
void cdraco_free(cdraco_mesh *_Nullable mesh);

uint32_t cdraco_points(const cdraco_mesh *_Nonnull mesh);
uint32_t cdraco_triangles(const cdraco_mesh *_Nonnull mesh);
/// The three points of a triangle, which must be there.
void cdraco_corners(const cdraco_mesh *_Nonnull mesh, uint32_t triangle, uint32_t corners[_Nonnull 3]);

/// How many numbers each point has of an attribute; 0 when there is none of that number.
uint32_t cdraco_width(const cdraco_mesh *_Nonnull mesh, uint32_t attribute);
/// Writes the numbers of all points of an attribute, one point after the other.
/// is_fraction: whether whole numbers are parts of the largest one. Returns false when they cannot be had.
bool cdraco_numbers(
    const cdraco_mesh *_Nonnull mesh, uint32_t attribute, bool is_fraction, float *_Nonnull numbers);

#ifdef __cplusplus
}
#endif
#endif

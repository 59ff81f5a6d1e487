#ifndef CASSIMP_H
#define CASSIMP_H

#include <assimp/scene.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Assimp has an interface in C, but ends the process where it finds that something is not as it should be.

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a scene; every surface as triangles, points and lines left out, textures with their upper edge first. It reads these
/// bytes alone: no other file is there for it. ending: of the file's name, which says its format. Returns NULL when it cannot be
/// read, with the reason written to `reason`, a text of less than `room` bytes that may be empty, and with `lacks_memory` set
/// when it was too little memory; else to be freed with cassimp_close.
const struct aiScene *cassimp_open(
    const void *bytes, size_t count, const char *ending, char *reason, size_t room, bool *lacks_memory);

/// Frees a scene.
void cassimp_close(const struct aiScene *scene);

/// The colour of a material, red first, as numbers from 0 to 1; the fourth is how little is seen through it. Returns whether the
/// file names one.
bool cassimp_colour(const struct aiMaterial *material, float colour[4]);

/// The file of the picture that lies on a material, where it is in this file; NULL for none. Valid as long as the scene is.
const uint8_t *cassimp_picture(const struct aiScene *scene, const struct aiMaterial *material, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif

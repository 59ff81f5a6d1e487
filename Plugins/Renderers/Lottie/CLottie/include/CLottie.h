#ifndef CLOTTIE_H
#define CLOTTIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// rlottie has an interface in C as well, which keeps animations that nobody needs any more.

#ifdef __cplusplus
extern "C" {
#endif

/// A drawing that moves, read by rlottie.
typedef struct clottie_animation clottie_animation;

/// What an animation says of itself, whatever it is: pixels, pictures, and pictures a second.
typedef struct {
    size_t width, height, frames;
    double rate;
} clottie_facts;

/// Reads an animation. Pictures that are files of their own are not looked for. Returns NULL for what is none, or needs more memory than
/// there is. The result is freed with clottie_free.
clottie_animation *_Nullable clottie_open(const char *_Nonnull json, size_t count);
void clottie_free(clottie_animation *_Nullable animation);

clottie_facts clottie_get_facts(const clottie_animation *_Nonnull animation);

/// Draws a frame, counted from 0, into pixels of 4 bytes as cairo's ARGB32 has them, all of which are 0. The shape of the animation is kept.
/// Returns false when there is no memory for it.
bool clottie_draw(
    clottie_animation *_Nonnull animation, size_t frame, uint32_t *_Nonnull pixels, size_t width, size_t height,
    size_t bytes_per_row);

#ifdef __cplusplus
}
#endif
#endif

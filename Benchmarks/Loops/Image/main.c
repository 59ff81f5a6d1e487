/* MagickWand: sizes first, so that JPEGs are decoded no larger than needed; scaled as Vitrine does. */
#include <loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <wand/MagickWand.h>

static int start(const char *scratch) {
    (void)scratch;
    MagickWandGenesis();
    /* Threads save no processor time. */
    MagickSetResourceLimit(ThreadResource, 1);
    return 1;
}

/* A hint above the picture's own size would make ImageMagick 6 decode to twice the size. */
static int hint(MagickWand *wand, const char *name, int box) {
    if (!MagickPingImage(wand, name)) return 0;
    int width, height;
    if (!loop_fit((double)MagickGetImageWidth(wand), (double)MagickGetImageHeight(wand), box, 0, &width, &height))
        return 0;
    ClearMagickWand(wand);
    char size[64];
    snprintf(size, sizeof size, "%dx%d", width, height);
    MagickSetOption(wand, "jpeg:size", size);
    return 1;
}

static int draw(MagickWand *wand, int box, loop_picture *picture) {
    MagickAutoOrientImage(wand);
    ColorspaceType colours = MagickGetImageColorspace(wand);
    if (colours != sRGBColorspace && colours != GRAYColorspace) MagickTransformImageColorspace(wand, sRGBColorspace);
    loop_picture whole = {NULL, 0, (int)MagickGetImageWidth(wand), (int)MagickGetImageHeight(wand), LOOP_RGBA};
    if (MagickGetImageAlphaChannel(wand) != MagickTrue) whole.format = LOOP_RGBX;
    whole.stride = (size_t)whole.width * 4;
    whole.pixels = malloc(whole.stride * (size_t)whole.height);
    int drawn = whole.pixels
        && MagickExportImagePixels(
               wand, 0, 0, (size_t)whole.width, (size_t)whole.height, whole.format == LOOP_RGBX ? "RGBP" : "RGBA",
               CharPixel, whole.pixels)
        && loop_scale(&whole, box, picture);
    free(whole.pixels);
    return drawn;
}

static int render(const char *path, int box, loop_picture *picture) {
    char name[4096];
    snprintf(name, sizeof name, "%s[0]", path);
    MagickWand *wand = NewMagickWand();
    int drawn = hint(wand, name, box) && MagickReadImage(wand, name) && draw(wand, box, picture);
    DestroyMagickWand(wand);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}

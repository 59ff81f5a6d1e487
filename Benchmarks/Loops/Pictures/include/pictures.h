/* Pictures that lie in other files, for the loops over those. */
#pragma once
#include <loop.h>

/* JPEG by libjpeg-turbo, decoded no smaller than `least` times the box, and scaled. Returns 0 when it cannot. */
int loop_jpeg(const uint8_t *bytes, size_t count, int box, double least, loop_picture *picture);

/* JPEG or PNG, told by their first bytes. Returns 0 when it cannot. */
int loop_decode(const uint8_t *bytes, size_t count, int box, loop_picture *picture);

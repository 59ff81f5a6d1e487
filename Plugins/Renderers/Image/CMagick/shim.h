#pragma once
/* As pkg-config's flags say; SwiftPM does not pass them on. */
#define MAGICKCORE_QUANTUM_DEPTH 16
#define MAGICKCORE_HDRI_ENABLE 0
#include <wand/MagickWand.h>

// libpng's simplified interface: it needs no longjmp, so Swift may call it directly.
#include <png.h>

static inline png_uint_32 cpng_format_rgba(void) { return PNG_FORMAT_RGBA; }

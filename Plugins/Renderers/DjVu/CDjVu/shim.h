#pragma once
#include <libdjvu/ddjvuapi.h>
#include <libdjvu/miniexp.h>

/* The text of a page as DjVuLibre lists it, `(page x y x y "text")`; NULL when there is none. */
static inline const char *cdjvu_text(miniexp_t page) {
    miniexp_t text = miniexp_nth(5, page);
    return miniexp_stringp(text) ? miniexp_to_str(text) : 0;
}

#ifndef CLITEHTML_MEASURING_HPP
#define CLITEHTML_MEASURING_HPP

#include "Arranged.hpp"
#include "Lengths.hpp"

#include <litehtml/litehtml.h>
#include <algorithm>
#include <cctype>
#include <string>

/// What boxes are measured in, in pixels.
constexpr int wide = 4096;

inline std::string text(const litehtml::element &element, const char *name, const char *otherwise = "") {
    const char *found = element.get_style_property(name, false, otherwise);
    return found ? found : otherwise;
}

/// What its borders and its padding take of a width that a style sheet gives it.
inline int edges(const litehtml::element &element) {
    if (text(element, "box-sizing") != "border-box") return 0;
    return element.get_paddings().width() + element.get_borders().width();
}

/// The width that a box needs where it has room.
inline int natural_width(const litehtml::element::ptr &item) {
    Arranged *known = Arranged::of(item);
    if (known && known->natural >= 0) return known->natural;
    int found = std::min(std::max(item->render(0, 0, wide), 0), wide);
    if (!known) return found;
    // What litehtml says leaves out some margins of words.
    const int height = item->height();
    for (int more = 4; more <= 64 && found + more < wide; more *= 4) {
        item->render(0, 0, found);
        if (item->height() <= height) break;
        found += more;
    }
    known->natural = found;
    return found;
}

/// The width below which it would jut out.
inline int least_width(const litehtml::element::ptr &item) {
    return std::min(std::max(item->render(0, 0, 1), 0), wide);
}

/// The width of a box with its margins, of the one that a style sheet gives it.
inline int outer(const litehtml::element &item, int inner) {
    const long around = text(item, "box-sizing") == "border-box" ? 0L : item.get_paddings().width() + item.get_borders().width();
    return within_page(within_page(inner) + around + item.get_margins().width());
}

inline bool is_length(const std::string &text) {
    return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.');
}

#endif

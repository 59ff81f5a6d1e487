#ifndef CLITEHTML_ARRANGED_HPP
#define CLITEHTML_ARRANGED_HPP

#include <litehtml/litehtml.h>

/// Who is told that lines end.
struct Lines {
    virtual ~Lines() = default;
    virtual void end_line() = 0;
};

/// What an element knows besides what litehtml does: how it arranges what is in it, and how it is arranged itself.
struct Arranged {
    enum class Kind { none, flex, grid };

    /// How often boxes of one page may be arranged: in tables, each is several times. When nothing is left they are blocks.
    struct Budget {
        int left = 20000;
        /// Declarations of all elements, in bytes.
        long style = 12 << 20;
    };

    Kind kind = Kind::none;
    bool is_column = false;
    /// Whether another one arranges it.
    bool is_item = false;
    /// The width that a style sheet gives it, where the one that arranges it decides about it.
    litehtml::css_length width;
    /// The widths that it needs at most and at least with its margins; negative until they were measured.
    int natural = -1, least = -1;
    /// How often it is laid out, since what it is in asks for widths first: ten times the logarithm to the base of 2.
    int effort = 0;

    virtual ~Arranged() = default;

    static Arranged *of(const litehtml::element::ptr &element) { return dynamic_cast<Arranged *>(element.get()); }
};

#endif

#ifndef CLITEHTML_LENGTHS_HPP
#define CLITEHTML_LENGTHS_HPP

#include <litehtml/litehtml.h>
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

/// A length within what a page may need: sums of some are numbers, too.
inline int within_page(long length) { return static_cast<int>(std::min(std::max(length, -1000000L), 1000000L)); }

/// Words of a style sheet's value, between blanks that are in no parentheses.
inline std::vector<std::string> words(const std::string &value, char separator = ' ') {
    std::vector<std::string> found(1);
    int depth = 0;
    for (const char letter : value) {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        const bool separates = separator == ' ' ? std::isspace(static_cast<unsigned char>(letter)) : letter == separator;
        if (!separates || depth > 0)
            found.back() += letter;
        else if (!found.back().empty())
            found.emplace_back();
    }
    if (found.back().empty()) found.pop_back();
    return found;
}

/// A number at the beginning of a text, within what a page may need; 0 for none.
inline double number(const std::string &text) {
    const double value = std::strtod(text.c_str(), nullptr);
    return value == value ? std::min(std::max(value, -100000.0), 100000.0) : 0;
}

/// Pixels of a length, within what a page may need.
inline int pixels(litehtml::document &document, const std::string &text, int font_size, int whole) {
    litehtml::css_length length;
    length.fromString(text);
    if (length.is_predefined()) return 0;
    if (length.units() == litehtml::css_units_percentage) return within_page(static_cast<long>(number(text) / 100 * whole));
    return within_page(document.cvt_units(length, font_size));
}

#endif

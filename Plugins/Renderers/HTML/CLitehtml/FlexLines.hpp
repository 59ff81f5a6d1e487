#ifndef CLITEHTML_FLEXLINES_HPP
#define CLITEHTML_FLEXLINES_HPP

#include "Justification.hpp"
#include "Lengths.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

/// What a row of boxes knows of one of them; lengths are its outer ones, in pixels.
struct FlexItem {
    int basis = 0, least = 0, most = 1 << 20;
    double grow = 0, shrink = 1;
    /// Margins that take what is left of the line, before it and behind it.
    bool is_free_before = false, is_free_behind = false;
    int position = 0, size = 0;
};

/// Boxes of one line.
struct FlexLine {
    size_t start, end;
};

/// Breaks boxes into lines (CSS Flexible Box Layout 1, 9.3).
inline std::vector<FlexLine> flex_lines(const std::vector<FlexItem> &items, int room, int gap, bool wraps) {
    std::vector<FlexLine> lines;
    long taken = 0;
    for (size_t i = 0; i < items.size(); i++) {
        const long size = std::max(items[i].basis, items[i].least);
        if (lines.empty() || (wraps && taken + gap + size > room)) {
            lines.push_back({i, i});
            taken = size;
        } else {
            taken += gap + size;
        }
        lines.back().end = i + 1;
    }
    return lines;
}

/// Makes the boxes of a line fill it, and places them (9.5 and 9.7).
inline void flex_line(std::vector<FlexItem> &items, const FlexLine &line, int room, int gap, Justify justify) {
    const long count = static_cast<long>(line.end - line.start);
    long left = room - gap * (count - 1);
    for (size_t i = line.start; i < line.end; i++) {
        items[i].size = items[i].basis;
        left -= items[i].size;
    }
    std::vector<bool> is_fixed(items.size(), false);
    // Each round fixes a box at its bound, or is the last.
    const bool grows = left > 0;
    for (long round = 0; round < std::min(count + 1, 64L) && left != 0; round++) {
        double weights = 0;
        for (size_t i = line.start; i < line.end; i++)
            if (!is_fixed[i]) weights += grows ? items[i].grow : items[i].shrink * items[i].basis;
        if (weights <= 0) break;
        const double share = static_cast<double>(left) / (grows ? std::max(weights, 1.0) : weights);
        bool is_last = true;
        long given = 0;
        for (size_t i = line.start; i < line.end; i++) {
            if (is_fixed[i]) continue;
            FlexItem &item = items[i];
            const int wanted = within_page(static_cast<long>(item.size + share * (grows ? item.grow : item.shrink * item.basis)));
            const int size = grows ? std::max(item.size, std::min(wanted, item.most)) : std::min(item.size, std::max(wanted, item.least));
            given += size - item.size;
            item.size = size;
            if (size != wanted) is_fixed[i] = true, is_last = false;
        }
        left -= given;
        if (is_last) break;
    }
    int free_margins = 0;
    for (size_t i = line.start; i < line.end; i++) free_margins += items[i].is_free_before + items[i].is_free_behind;
    const int rest = static_cast<int>(std::max(left, 0L));
    const int margin = free_margins ? rest / free_margins : 0;
    const Spacing places = spacing(free_margins ? Justify::start : justify, rest, count, gap);
    long position = places.start;
    for (size_t i = line.start; i < line.end; i++) {
        if (items[i].is_free_before) position += margin;
        items[i].position = within_page(position);
        position += items[i].size + places.between;
        if (items[i].is_free_behind) position += margin;
    }
}

#endif

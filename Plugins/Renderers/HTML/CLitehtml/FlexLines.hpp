#ifndef CLITEHTML_FLEXLINES_HPP
#define CLITEHTML_FLEXLINES_HPP

#include <algorithm>
#include <cstddef>
#include <string>
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

/// Where what is left of a line goes.
enum class Justify { start, end, center, between, around, evenly };

inline Justify justification(const std::string &value) {
    if (value.find("space-between") == 0) return Justify::between;
    if (value.find("space-around") == 0) return Justify::around;
    if (value.find("space-evenly") == 0) return Justify::evenly;
    if (value.find("center") != std::string::npos) return Justify::center;
    return value.find("end") != std::string::npos || value.find("right") == 0 ? Justify::end : Justify::start;
}

/// Where the first box begins, and what is between two of them.
struct Spacing {
    int start, between;
};

/// Puts what is left of a line of some boxes where it goes. What does not fit juts out at the end: at both ends nobody could see it.
inline Spacing spacing(Justify justify, long left, long count, int gap) {
    const int rest = static_cast<int>(std::max(left, 0L)), boxes = static_cast<int>(std::max(count, 1L));
    switch (justify) {
    case Justify::start: break;
    case Justify::end: return {rest, gap};
    case Justify::center: return {rest / 2, gap};
    case Justify::between: return {0, gap + (boxes > 1 ? rest / (boxes - 1) : 0)};
    case Justify::around: return {rest / boxes / 2, gap + rest / boxes};
    case Justify::evenly: return {rest / (boxes + 1), gap + rest / (boxes + 1)};
    }
    return {0, gap};
}

/// Where a box is across its line.
enum class Align { stretch, start, center, end };

inline Align alignment(const std::string &value) {
    if (value.find("center") != std::string::npos) return Align::center;
    if (value.find("end") != std::string::npos) return Align::end;
    return value.empty() || value == "normal" || value == "stretch" || value == "auto" ? Align::stretch : Align::start;
}

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
            const int wanted = item.size + static_cast<int>(share * (grows ? item.grow : item.shrink * item.basis));
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
    int position = places.start;
    for (size_t i = line.start; i < line.end; i++) {
        if (items[i].is_free_before) position += margin;
        items[i].position = position;
        position += items[i].size + places.between;
        if (items[i].is_free_behind) position += margin;
    }
}

#endif

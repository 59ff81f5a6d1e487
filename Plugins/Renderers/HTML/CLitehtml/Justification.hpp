#ifndef CLITEHTML_JUSTIFICATION_HPP
#define CLITEHTML_JUSTIFICATION_HPP

#include <algorithm>
#include <string>

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

#endif

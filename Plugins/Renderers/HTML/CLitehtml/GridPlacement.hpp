#ifndef CLITEHTML_GRIDPLACEMENT_HPP
#define CLITEHTML_GRIDPLACEMENT_HPP

#include "GridTracks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

/// The places of named areas: from column and row, to behind column and row.
struct GridArea {
    int column, row, end_column, end_row;
};

/// Reads the areas of a grid, a string for each row (7.3).
inline std::map<std::string, GridArea> grid_areas(const std::string &value) {
    std::map<std::string, GridArea> areas;
    int row = 0;
    size_t start = 0;
    while (row < GridTracks::most) {
        const size_t open = value.find_first_of("\"'", start);
        const size_t close = open == std::string::npos ? open : value.find(value[open], open + 1);
        if (close == std::string::npos) break;
        int column = 0;
        for (const std::string &name : words(value.substr(open + 1, close - open - 1))) {
            if (column >= GridTracks::most) break;
            if (name[0] != '.') {
                const auto found = areas.emplace(name, GridArea{column, row, column + 1, row + 1}).first;
                found->second.column = std::min(found->second.column, column);
                found->second.end_column = std::max(found->second.end_column, column + 1);
                found->second.end_row = row + 1;
            }
            column++;
        }
        row++;
        start = close + 1;
    }
    return areas;
}

/// A line of a grid by its number, from 1, or from the end; negative for none.
inline int grid_line(const std::string &text, int columns) {
    const int line = static_cast<int>(number(text));
    return line > 0 ? line - 1 : line < 0 ? std::max(0, columns + 1 + line) : -1;
}

/// Fields of a grid that a box takes; negative where it may be anywhere.
struct GridCell {
    int column = -1, row = -1, columns = 1, rows = 1;
};

/// Where a style sheet puts a box, or how large it makes it.
inline void read_span(const std::string &value, int count, int &start, int &size) {
    const std::vector<std::string> bounds = words(value, '/');
    if (bounds.empty()) return;
    const std::vector<std::string> first = words(bounds[0]), second = bounds.size() > 1 ? words(bounds[1]) : std::vector<std::string>();
    if (first.size() == 2 && first[0] == "span")
        size = static_cast<int>(number(first[1]));
    else if (!first.empty())
        start = grid_line(first[0], count);
    if (second.size() == 2 && second[0] == "span") {
        size = static_cast<int>(number(second[1]));
    } else if (!second.empty()) {
        const int end = grid_line(second[0], count);
        if (end >= 0 && start >= 0) size = end - start;
    }
    size = std::min(std::max(size, 1), GridTracks::most);
    start = std::min(start, GridTracks::most_rows);
}

/// Finds fields of a grid for one box after the other (8.5).
class GridPlacement {
public:
    /// columns: of the grid, at least one.
    explicit GridPlacement(int columns) : columns(columns) {}

    int rows() const { return static_cast<int>(taken.size()); }

    /// Takes the fields that a box asks for, or the next that are free.
    GridCell place(GridCell wanted) {
        wanted.columns = std::min(wanted.columns, columns);
        if (wanted.column >= 0) wanted.column = std::min(wanted.column, columns - wanted.columns);
        GridCell found = wanted.column < 0 || wanted.row < 0 ? next_free(wanted) : wanted;
        found.row = std::min(found.row, GridTracks::most_rows);
        while (rows() < found.row + found.rows) taken.emplace_back(columns, false);
        for (int y = found.row; y < found.row + found.rows; y++)
            for (int x = found.column; x < found.column + found.columns; x++) taken[y][x] = true;
        return found;
    }

private:
    const int columns;
    /// Row by row.
    std::vector<std::vector<bool>> taken;
    int next_column = 0, next_row = 0;

    GridCell next_free(const GridCell &wanted) {
        GridCell found = wanted;
        found.row = wanted.row < 0 ? next_row : wanted.row;
        found.column = wanted.column < 0 ? (wanted.row < 0 ? next_column : 0) : wanted.column;
        if (wanted.column >= 0 && wanted.row < 0 && wanted.column < next_column) found.row++;
        while (found.row < GridTracks::most_rows && (found.column + found.columns > columns || !is_free(found))) {
            if (wanted.column >= 0) {
                found.row++;
            } else if (++found.column + found.columns > columns) {
                found.column = 0;
                found.row++;
            }
        }
        found.column = std::min(found.column, columns - found.columns);
        next_row = found.row, next_column = found.column + found.columns;
        return found;
    }

    bool is_free(const GridCell &cell) const {
        for (int y = cell.row; y < cell.row + cell.rows; y++)
            for (int x = cell.column; x < cell.column + cell.columns; x++)
                if (y < rows() && taken[y][x]) return false;
        return true;
    }
};

#endif

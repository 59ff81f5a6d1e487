import CGIO

extension String {
    /// Fills up with spaces on the right, by columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

    /// Fills up with spaces on the left, by columns.
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }

    /// Columns that it takes in a terminal: wide letters take two, marks take none.
    var columns: Int {
        unicodeScalars.reduce(0) { sum, scalar in
            sum + (g_unichar_iszerowidth(scalar.value) != 0 ? 0 : g_unichar_iswide(scalar.value) != 0 ? 2 : 1)
        }
    }

    /// Shortens it to a number of columns, in the middle: the end of a file's name says what it is.
    func shortened(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 1 else { return "" }
        var head = ""
        var tail = ""
        var front = self[...]
        var takesHead = true
        while !front.isEmpty {
            let next = takesHead ? front.first : front.last
            guard let next, head.columns + tail.columns + String(next).columns < width else { break }
            if takesHead { head.append(next) } else { tail.insert(next, at: tail.startIndex) }
            front = takesHead ? front.dropFirst() : front.dropLast()
            takesHead.toggle()
        }
        return head + "…" + tail
    }
}

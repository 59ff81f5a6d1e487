extension Finish {
    /// Reads what ``description`` writes.
    /// - Parameter key: words with commas between; empty for ``plain``.
    /// - Returns: `nil` for anything else, also for what is written in another way than that.
    public init?(key: String) {
        self.init()
        for word in key.split(separator: ",", omittingEmptySubsequences: true) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard read(parts[0], parts.count > 1 ? parts[1] : nil) else { return nil }
        }
        guard description == key else { return nil }
    }

    private mutating func read(_ name: String, _ value: String?) -> Bool {
        switch (name, value) {
        case ("mosaic", nil): arrangement = .mosaic
        case ("pages", let value?):
            guard let (first, last) = Self.pair(value, "-"), first >= 0, last >= first else { return false }
            parts = .pages(first...last)
        case ("frames", let value?):
            guard let count = Int(value) else { return false }
            parts = .frames(count)
        case ("sheet", let value?):
            let isNumbered = value.hasSuffix("n")
            guard let (columns, rows) = Self.pair(isNumbered ? String(value.dropLast()) : value, "x") else {
                return false
            }
            arrangement = .sheet(columns: columns, rows: rows, isNumbered: isNumbered)
        case ("loop", let value?):
            guard let time = Int(value) else { return false }
            arrangement = .loop(milliseconds: time)
        case ("cover", let value?):
            guard let anchor = Self.anchor(value) else { return false }
            fit = .cover(anchor)
        case ("on", let value?): background = PictureColor(value)
        case ("format", let value?):
            guard let format = PictureFormat(rawValue: value) else { return false }
            self.format = format
        case ("quality", let value?): quality = Int(value)
        default: return false
        }
        return true
    }

    private static func anchor(_ text: String) -> Anchor? {
        switch text {
        case "center": .center
        case "attention": .attention
        case "entropy": .entropy
        default: pair(text, ":").map { .focus(x: $0.0, y: $0.1) }
        }
    }

    private static func pair(_ text: String, _ separator: Character) -> (Int, Int)? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
        return (first, second)
    }
}

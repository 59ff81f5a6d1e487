/// Where everything on a sheet lies. Lengths are in pixels of the sheet at its full size.
struct SheetPlan {
    /// One thing at its place.
    struct Place {
        var part: SheetDescription.Part
        var x: Double
        var y: Double
        /// What it may fill.
        var width: Double
    }

    /// In the order of the description, as far as there is room.
    private(set) var places: [Place] = []
    /// Files that are among them.
    private(set) var shown = 0
    /// Of the whole sheet.
    let width: Double
    /// Of the whole sheet.
    private(set) var height: Double
    /// Its longer side in whole pixels.
    var box: Int { Int(max(width, height).rounded()) }

    /// The most pixels of a side: what programs that show pictures open without trouble.
    static let longest = 12_000

    static let margin = 44.0
    static let gap = 16.0
    static let cell = 184.0
    static let frame = 160.0
    static let cellHeight = 228.0
    /// What headings take, with what is empty above them.
    static let folderHeight = 58.0
    static let kindHeight = 32.0
    private static let noteHeight = 30.0

    /// Lays a sheet out, about as long as wide, with what is said at the end below all files.
    /// - Parameters:
    ///   - description: what is on it.
    ///   - longest: the most pixels of a side. That files have no room is said below them, without how many: whoever wrote
    ///     the description may have left out others.
    init(_ description: SheetDescription, longest: Int = Self.longest) {
        let files = description.parts.count { $0.isFile }
        var columns = 5
        while columns < 16, columns * columns < files { columns += 1 }
        width = 2 * Self.margin + Double(columns) * (Self.cell + Self.gap) - Self.gap
        height = Self.margin
        var column = 0
        var headings: [SheetDescription.Part] = []
        // Lines at the end need room besides, of which they get a quarter at most, and so does the one about files.
        let ends = description.parts.filter { $0.isEnd }
        let endsHeight = min(Double(longest) / 4, ends.reduce(0) { $0 + $1.height })
        let room = Double(longest) - 2 * Self.margin - Self.noteHeight - endsHeight
        for part in description.parts where !part.isEnd {
            if part.isFile {
                if column == columns || !headings.isEmpty { (column, height) = (0, height + rowHeight(column)) }
                let above = headings.reduce(0) { $0 + $1.height }
                guard height + above + Self.cellHeight <= room || shown == 0 else { break }
                for heading in headings { add(heading) }
                headings = []
                let x = Self.margin + Double(column) * (Self.cell + Self.gap)
                places.append(Place(part: part, x: x, y: height, width: Self.cell))
                (column, shown) = (column + 1, shown + 1)
            } else if part.isHeading {
                headings.append(part)
            } else {
                add(part)
            }
        }
        height += rowHeight(column)
        if shown < files { add(.end("There are more files, for which this sheet has no room.")) }
        for end in ends where height + end.height + Self.margin - Self.gap <= Double(longest) { add(end) }
        height += Self.margin - Self.gap
    }

    /// What a row takes that has begun.
    private func rowHeight(_ column: Int) -> Double { column > 0 ? Self.cellHeight + Self.gap : 0 }

    private mutating func add(_ part: SheetDescription.Part) {
        places.append(Place(part: part, x: Self.margin, y: height, width: width - 2 * Self.margin))
        height += part.height
    }
}

extension SheetDescription.Part {
    fileprivate var isFile: Bool {
        switch self {
        case .file, .failure: true
        default: false
        }
    }

    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }

    fileprivate var isHeading: Bool {
        switch self {
        case .folder, .kind: true
        default: false
        }
    }

    /// What it takes from top to bottom, when it is no file.
    fileprivate var height: Double {
        switch self {
        case .title: 44
        case .note: 26
        case .folder: SheetPlan.folderHeight
        case .kind: SheetPlan.kindHeight
        case .end: 30
        case .file, .failure: 0
        }
    }
}

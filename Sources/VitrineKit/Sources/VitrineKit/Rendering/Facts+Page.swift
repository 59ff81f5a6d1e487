extension Facts {
    /// Sets the size of a page, and the name of its paper where there is one.
    ///
    /// Names are those of ISO 216 and of ANSI and North American custom, for sides that differ by up to a millimetre and a
    /// half; what lies on its side is `landscape`.
    /// - Parameters:
    ///   - width: in millimetres, upright as it is shown.
    ///   - height: likewise.
    public mutating func setPage(width: Double, height: Double) {
        guard width.isFinite, height.isFinite, 1...100_000 ~= width, 1...100_000 ~= height else { return }
        set(.pageWidth, (width * 10).rounded() / 10)
        set(.pageHeight, (height * 10).rounded() / 10)
        func matches(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1.5 }
        for (name, short, long) in Self.papers {
            if matches(width, short), matches(height, long) { set(.pageFormat, name) }
            if matches(width, long), matches(height, short) { set(.pageFormat, name + " landscape") }
        }
    }

    /// The same in points, 72 of which are an inch.
    public mutating func setPage(pointsWide width: Double, high height: Double) {
        setPage(width: width / 72 * 25.4, height: height / 72 * 25.4)
    }

    /// Names, shorter and longer sides in millimetres.
    private static let papers: [(String, Double, Double)] = [
        ("A0", 841, 1189), ("A1", 594, 841), ("A2", 420, 594), ("A3", 297, 420), ("A4", 210, 297), ("A5", 148, 210),
        ("A6", 105, 148), ("B4", 250, 353), ("B5", 176, 250), ("Letter", 215.9, 279.4), ("Legal", 215.9, 355.6),
        ("Tabloid", 279.4, 431.8), ("Executive", 184.15, 266.7),
    ]
}

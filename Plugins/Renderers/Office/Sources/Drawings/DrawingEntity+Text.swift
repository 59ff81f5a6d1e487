internal import Glibc

extension DrawingEntity {
    /// How wide a letter is, in parts of its height, about.
    private static let letterWidth = 0.7
    /// From one line to the next, in parts of the height of letters, as AutoCAD has it.
    private static let lineHeight = 5.0 / 3
    /// Letters of a layer's name at most, which AutoCAD allows.
    private static let longestName = 255
    /// Letters of a line at most.
    private static let longestLine = 1000.0

    /// The texts of one line that a text of several is made of.
    var textLines: [DrawingEntity] {
        guard let place = points(10...10).first, let height = number(40), height > 0 else { return [] }
        let letter = height * Self.letterWidth
        let width = number(41).flatMap { $0 > 0 ? Int(max(4, min($0 / letter, Self.longestLine))) : nil }
        let lines = MultilineText.lines(texts([1, 3]), length: width)
        let direction = points(11...11).first.map { atan2($0.y, $0.x) } ?? angle(50)
        let step = height * Self.lineHeight * max(0.25, min(number(44) ?? 1, 4))
        // Nine places of the whole at which it is fastened, from the left at the top on.
        let place9 = Int(max(1, min(number(71) ?? 1, 9))) - 1
        let above = (Double(lines.count - 1) * step + height) * Double(place9 / 3) / 2
        return lines.enumerated().filter { !$1.isEmpty }.map { index, line in
            let x = -Double(line.count) * letter * Double(place9 % 3) / 2
            let y = above - height - Double(index) * step
            let (cosine, sine) = (cos(direction), sin(direction))
            var pairs =
                [(8, String((text(8) ?? "0").prefix(Self.longestName)))]
                + [62, 67, 7].compactMap { code in
                    text(code).map { (code, String($0.prefix(Self.longestName))) }
                }
            pairs += [(10, place.x + x * cosine - y * sine), (20, place.y + x * sine + y * cosine), (30, 0)].map {
                ($0, "\($1)")
            }
            pairs += [(40, "\(height)"), (50, "\(direction * 180 / .pi)"), (1, line)]
            return DrawingEntity("TEXT", pairs.map { (code: $0.0, value: $0.1) })
        }
    }
}

/// An element of a drawing in AutoCAD's exchange format: pairs of a number and a value, the first of which is its kind.
struct DrawingEntity {
    let kind: String
    private let pairs: [(code: Int, value: String)]

    /// - Parameter pairs: those behind its kind.
    init(_ kind: String, _ pairs: [(code: Int, value: String)]) {
        self.kind = kind
        // What is embedded in it repeats its numbers.
        let end = pairs.firstIndex { $0.code == 101 } ?? pairs.count
        self.pairs = Array(pairs[..<end])
    }

    /// Numbers beyond this are nothing that is drawn: programs write 1e20 for none.
    private static let largest = 1e15

    /// The first value of a number.
    func text(_ code: Int) -> String? { pairs.first { $0.code == code }?.value }

    func number(_ code: Int) -> Double? { text(code).flatMap(Self.number) }

    /// All values of numbers, one after the other.
    func texts(_ codes: Set<Int>) -> String {
        pairs.filter { codes.contains($0.code) }.map(\.value).joined()
    }

    static func number(_ text: String) -> Double? {
        Double(text.filter { $0 != " " }).flatMap { $0.isFinite && abs($0) < largest ? $0 : nil }
    }

    /// Whether it is on the paper, and not in the drawing.
    var isOnPaper: Bool { number(67) == 1 }

    /// All points of some numbers: of each, across, and behind it the number that is larger by 10, up.
    func points(_ codes: ClosedRange<Int>) -> [(x: Double, y: Double)] {
        zip(pairs, pairs.dropFirst()).compactMap { first, second in
            guard codes.contains(first.code), second.code == first.code + 10, let x = Self.number(first.value),
                let y = Self.number(second.value)
            else { return nil }
            return (x, y)
        }
    }

    /// An angle in radians; 0 where there is none.
    func angle(_ code: Int) -> Double { (number(code) ?? 0) * .pi / 180 }

    /// Whether it is a header that says how large the drawing is.
    var saysSize: Bool {
        let corners = ["$EXTMIN", "$EXTMAX"].compactMap { name -> (x: Double, y: Double)? in
            guard let index = pairs.firstIndex(where: { $0.code == 9 && $0.value == name }) else { return nil }
            return DrawingEntity(name, Array(pairs[(index + 1)...].prefix(2))).points(10...10).first
        }
        guard corners.count == 2 else { return false }
        return corners[0].x <= corners[1].x && corners[0].y <= corners[1].y
            && (corners[0].x < corners[1].x || corners[0].y < corners[1].y)
    }

    /// Whether it is a header that says that letters have two bytes, of which the second may be any: those of the code pages of
    /// East Asia, before texts became UTF-8 (AC1021).
    var saysPairs: Bool {
        func value(_ name: String) -> String? {
            guard let index = pairs.firstIndex(where: { $0.code == 9 && $0.value == name }), index + 1 < pairs.count
            else { return nil }
            return pairs[index + 1].value
        }
        guard let page = value("$DWGCODEPAGE"), (value("$ACADVER") ?? "") < "AC1021" else { return false }
        return ["932", "936", "949", "950"].contains { page.hasSuffix($0) }
    }

    /// Its lines in a file.
    var bytes: [UInt8] {
        (["0", kind] + pairs.flatMap { ["\($0.code)", $0.value] }).flatMap { line in
            line.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + [0x0A]
        }
    }
}

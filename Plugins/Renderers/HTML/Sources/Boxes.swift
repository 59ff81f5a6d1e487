internal import CLitehtml

extension clitehtml_box {
    /// Whether any of it may be in the window.
    var isNear: Bool {
        Double(y) < Window.height && Double(y) + Double(height) > 0 && Double(x) < Window.width
            && Double(x) + Double(width) > 0
    }

    /// What of it is in the window, across and down.
    var columns: ClosedRange<Double> { Self.part(x, width, Window.width) }
    var rows: ClosedRange<Double> { Self.part(y, height, Window.height) }

    private static func part(_ start: CInt, _ length: CInt, _ room: Double) -> ClosedRange<Double> {
        let first = min(max(0, Double(start)), room)
        return first...max(first, min(Double(start) + Double(length), room))
    }

    func inset(by width: CInt) -> clitehtml_box {
        clitehtml_box(x: x &+ width, y: y &+ width, width: self.width &- 2 &* width, height: height &- 2 &* width)
    }
}

extension clitehtml_corners {
    /// Each corner as a part of a circle, which the lesser half-axis is the radius of.
    var radii: [Double] {
        [
            min(across.0, down.0), min(across.1, down.1), min(across.2, down.2), min(across.3, down.3),
        ].map { Double(max(0, $0)) }
    }

    func inset(by width: CInt) -> clitehtml_corners {
        let inner = radii.map { CInt(max(0, min($0, 1_000_000) - Double(width))) }
        let all = (inner[0], inner[1], inner[2], inner[3])
        return clitehtml_corners(across: all, down: all)
    }
}

extension clitehtml_edge {
    func isEqual(to other: clitehtml_edge) -> Bool {
        width == other.width && line == other.line && colour.red == other.colour.red
            && colour.green == other.colour.green && colour.blue == other.colour.blue
            && colour.alpha == other.colour.alpha
    }
}

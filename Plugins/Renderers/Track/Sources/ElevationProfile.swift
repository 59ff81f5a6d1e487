/// Elevations along the lines of a file, one after the other, in steps of equal length.
struct ElevationProfile {
    /// Metres of each step, from the start on: the mean of what is known in it.
    private(set) var heights: [Double] = []
    /// How many lines there are with elevations.
    private(set) var lines = 0
    /// Metres of way.
    private(set) var distance = 0.0

    /// How many elevations make up the last step.
    private var count = 0.0
    private var step = 1.0
    private var isNew = true

    /// Steps that are kept: of more of them, two become one.
    private static let most = 2048
    /// Lines of a profile that still means something: beyond it they are contours, or parts of a map.
    private static let mostLines = 64
    /// What can be an elevation: devices write −9999 and the like where they do not know.
    private static let possible = -600.0...100_000.0
    /// Steps without which there is nothing to see.
    private static let fewest = 8

    /// Begins a line.
    mutating func begin() { isNew = true }

    /// Adds an elevation.
    /// - Parameters:
    ///   - height: metres above the sea.
    ///   - way: metres since the last one of the same line.
    mutating func add(_ height: Double, after way: Double) {
        guard Self.possible ~= height, way.isFinite else { return }
        if isNew { (lines, isNew) = (lines + 1, false) }
        distance += max(0, way)
        while distance / step >= Double(Self.most) { halve() }
        let place = Int(distance / step)
        if place < heights.count {
            count += 1
            heights[heights.count - 1] += (height - heights[heights.count - 1]) / count
            return
        }
        // Between elevations that lie far apart, it goes straight up or down.
        let from = heights.last ?? height
        let missing = place - heights.count + 1
        for number in 1...missing { heights.append(from + (height - from) * Double(number) / Double(missing)) }
        count = 1
    }

    private mutating func halve() {
        heights = stride(from: 0, to: heights.count, by: 2).map { index in
            index + 1 < heights.count ? (heights[index] + heights[index + 1]) / 2 : heights[index]
        }
        step *= 2
        count = 1
    }

    /// Whether it is worth showing: a way with elevations that are not all the same, as where nobody knew them.
    var isShown: Bool {
        guard lines <= Self.mostLines, heights.count >= Self.fewest, let low = heights.min(), let high = heights.max()
        else { return false }
        return high - low >= 1
    }
}

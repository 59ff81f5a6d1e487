/// Where the pictures of a sheet lie.
public struct SheetGeometry: Hashable, Sendable {
    /// Pixels between the pictures, and around them.
    public let margin: Int
    /// Height of what is written below a picture, with its distance; 0 for nothing.
    public let labelHeight: Int
    /// The most that a picture may be wide and high.
    public let tileWidth: Int, tileHeight: Int

    /// Divides a square.
    /// - Parameters:
    ///   - box: its side, in pixels.
    ///   - columns: 1 or more.
    ///   - rows: 1 or more.
    ///   - isNumbered: whether there is something below each picture.
    /// - Returns: `nil` when the pictures would have no pixel.
    public init?(box: Int, columns: Int, rows: Int, isNumbered: Bool) {
        guard box > 0, columns > 0, rows > 0 else { return nil }
        // A margin that the eye takes for even: a little wider where there is more room.
        margin = max(1, box / (30 + 10 * max(columns, rows)))
        let tallest = box / rows
        labelHeight = isNumbered ? max(14, min(tallest / 7, box / 36)) : 0
        tileWidth = (box - margin * (columns + 1)) / columns
        tileHeight = (box - margin * (rows + 1)) / rows - labelHeight
        guard tileWidth > 0, tileHeight > 0 else { return nil }
    }

    /// The longest side of a picture.
    public var tileBox: Int { max(tileWidth, tileHeight) }
}

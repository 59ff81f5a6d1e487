import VitrineKit

/// A picture as text for a terminal.
public struct TerminalPicture: Sendable {
    /// The room that a picture may take.
    public struct Room: Hashable, Sendable {
        /// Characters across.
        public var columns: Int
        /// Lines.
        public var rows: Int
        /// Pixels of a character.
        public var cell: (width: Int, height: Int) { (cellWidth, cellHeight) }
        private var cellWidth: Int
        private var cellHeight: Int

        /// Describes room.
        /// - Parameter cell: pixels of a character. Default: those of a VT340.
        public init(columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20)) {
            self.columns = columns
            self.rows = rows
            (cellWidth, cellHeight) = (min(max(4, cell.width), 64), min(max(4, cell.height), 128))
        }
    }

    /// What is written to draw the picture with its upper left corner at the cursor, which may be anywhere after.
    public let text: String

    /// Prepares a picture.
    /// - Parameters:
    ///   - png: the file's bytes.
    ///   - room: what it may fill; its shape is kept.
    ///   - kind: how the terminal takes pictures.
    /// - Returns: `nil` for bytes that are no PNG, or for sixel none that ``PNGPixels`` reads.
    public init?(png: [UInt8], room: Room, as kind: TerminalProtocol) {
        guard let size = PNGPixels.size(of: png) else { return nil }
        switch kind {
        case .kitty:
            let isWide = size.width * room.rows * room.cell.height > size.height * room.columns * room.cell.width
            text = Self.kitty(png, isWide ? "c=\(room.columns)" : "r=\(room.rows)")
        case .iterm:
            text =
                "\u{1B}]1337;File=inline=1;size=\(png.count);width=\(room.columns);height=\(room.rows);"
                + "preserveAspectRatio=1:" + Base64.text(png) + "\u{07}"
        case .sixel:
            guard let pixels = PNGPixels(png) else { return nil }
            let width = room.columns * room.cell.width
            let height = room.rows * room.cell.height
            text = Sixel.encode(pixels.fitting(width: width, height: height))
        }
    }

    /// In pieces of at most 4,096 characters, as the protocol wants; the terminal is to answer nothing (`q=2`).
    private static func kitty(_ png: [UInt8], _ size: String) -> String {
        var text = ""
        var rest = png[...]
        var isFirst = true
        repeat {
            let piece = rest.prefix(3072)
            rest = rest.dropFirst(piece.count)
            let keys = isFirst ? "a=T,f=100,q=2,C=1,\(size)," : ""
            text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);\(Base64.text(Array(piece)))\u{1B}\\"
            isFirst = false
        } while !rest.isEmpty
        return text
    }
}

internal import ArchiveReading
internal import VitrineKit
internal import XML

/// Reads notebooks of Xournal++ and Xournal: XML, packed as gzip packs it.
enum NotebookReader {
    /// Bytes of a notebook, once it is unpacked; of one text, which are all points of a stroke, or a picture; and of a piece.
    private static let longest = 256 << 20, longestText = 64 << 20, piece = 1 << 20

    /// - Parameter page: which is wanted, from 0.
    /// - Throws: `corrupt`, `limitExceeded`, or what the input throws.
    static func read(_ input: any RandomAccessInput, page: Int) throws(PluginError) -> Notebook {
        let listener = NotebookListener(page: page)
        let reader = XMLReader(
            "the notebook", limits: XMLLimits(bytes: Int64(longest), text: longestText), listener: listener,
            knowsNamespaces: false)
        let bytes = try contents(of: input)
        var start = 0
        while start < bytes.count {
            let end = min(start + piece, bytes.count)
            try reader.read(Array(bytes[start..<end]), isLast: false)
            start = end
        }
        try reader.read([], isLast: true)
        guard listener.isKnown else {
            throw PluginError(.corrupt, "the file is XML, but no notebook of Xournal: its first element is another")
        }
        return listener.notebook
    }

    private static func contents(of input: any RandomAccessInput) throws(PluginError) -> [UInt8] {
        // Behind a mark of UTF-8, and blanks.
        let head = try input.head(64).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        if head.first == UInt8(ascii: "<") { return Array(try input.head(longest).drop { $0 != UInt8(ascii: "<") }) }
        guard try GzipFile.isPacked(input) else {
            throw PluginError(.corrupt, "the file is no notebook of Xournal: it is neither XML nor packed by gzip")
        }
        return try GzipFile.contents(of: input, named: "the notebook", limit: longest)
    }
}

public import VitrineKit

/// A small tree of files that ``BackendConformance`` asks a storage to hold.
public struct BackendSample: Sendable {
    /// A file or folder of the sample.
    public struct Node: Sendable {
        /// Where it lies, relative to the source's root.
        public var path: ItemPath
        /// Its bytes; `nil` for a folder.
        public var content: [UInt8]?

        /// Creates a node.
        public init(_ path: ItemPath, content: [UInt8]? = nil) {
            self.path = path
            self.content = content
        }
    }

    /// What names a storage can hold.
    public enum Names: Sendable {
        /// Any bytes but `/` and NUL, as on Linux file systems.
        case bytes
        /// Any text in UTF-8 but control characters, as on most drives in the cloud.
        case text
    }

    /// The nodes; a folder comes before what lies in it.
    public let nodes: [Node]

    /// Makes the tree.
    /// - Parameters:
    ///   - names: what names the storage can hold.
    ///   - many: how many files the folder `many` holds.
    ///   - leavesOut: names that the storage cannot hold or does not show. Default: none.
    /// - Throws: never with names of this sample; a path is checked as any other.
    public init(
        names: Names = .bytes, many: Int = 10_000, leavesOut: ([UInt8]) -> Bool = { _ in false }
    ) throws(PluginError) {
        var nodes = [
            Node(try ItemPath("empty")), Node(try ItemPath("many")), Node(try ItemPath("names")),
            Node(try ItemPath("nested")), Node(try ItemPath("nested/a")), Node(try ItemPath("nested/a/b")),
            Node(try ItemPath("nested/beside.txt"), content: Array("beside".utf8)),
            Node(try ItemPath("nested/a/b/deep.txt"), content: Array("deep".utf8)),
            Node(try ItemPath("data.bin"), content: Self.data), Node(try ItemPath("nothing.bin"), content: []),
        ]
        for number in 0..<many { nodes.append(Node(try ItemPath("many/\(number).txt"), content: [])) }
        for (number, name) in Self.names(names).filter({ !leavesOut($0) }).enumerated() {
            nodes.append(Node(try ItemPath("names").appending(name), content: Array("content \(number)".utf8)))
        }
        self.nodes = nodes.filter { !leavesOut($0.path.name) }
    }

    /// The content of `data.bin`: 300,001 bytes that repeat only after 251, so that a wrong offset shows.
    public static let data: [UInt8] = (0..<300_001).map { UInt8($0 % 251) }

    /// The children of a folder.
    func children(of folder: ItemPath) -> [Node] { nodes.filter { $0.path.parent == folder } }

    private static func names(_ kind: Names) -> [[UInt8]] {
        let text = [
            "space in name.txt", " leading and trailing ", "-rf", "--", "@file", "%41", "100%", "#hash?query", "a;b[c]",
            "quote'\"`$(x)", "back\\slash", "...", ".hidden", "ümläut", "日本語", "e\u{301}", "\u{E9}",
            "right\u{202E}left", String(repeating: "x", count: 255),
        ].map { Array($0.utf8) }
        guard kind == .bytes else { return text }
        return text + [
            Array("line\nbreak".utf8), Array("tab\tbell\u{7}".utf8), [0xFF, 0xFE], [0x80], [0xC3, 0x28], [1],
        ]
    }
}

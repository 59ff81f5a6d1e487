internal import CompoundFiles
internal import VitrineKit

/// What a program of Windows says of itself (Microsoft, `VS_VERSIONINFO`): nodes in nodes, each with a name and a value, in
/// UTF-16.
struct VersionInformation {
    private var strings: [String: String] = [:]

    /// Nodes at most.
    private static let mostNodes = 1024

    /// Reads the strings of the first language; of what is damaged, those before the damage.
    init(_ bytes: [UInt8]) {
        guard let root = Node(bytes, at: 0, end: bytes.count),
            let file = root.children(bytes).first(where: { $0.name == "StringFileInfo" }),
            let language = file.children(bytes).first
        else { return }
        for node in language.children(bytes) {
            strings[node.name] = Node.text(bytes, node.value)
        }
    }

    /// The program's name, and who made it.
    var facts: Facts {
        let title = ["ProductName", "FileDescription"].compactMap { strings[$0].flatMap { Facts.line($0) } }.first
        var facts = Facts(title: title)
        facts.set(.author, strings["CompanyName"])
        return facts
    }

    private struct Node {
        let name: String
        let value: Range<Int>
        let end: Int

        /// - Returns: `nil` for what is no node, or not within these bytes.
        init?(_ bytes: [UInt8], at start: Int, end: Int) {
            guard let length = bytes.uint16(at: start), let size = bytes.uint16(at: start + 2),
                let isText = bytes.uint16(at: start + 4), length > 6, length <= end - start
            else { return nil }
            self.end = start + length
            var after = start + 6
            while let unit = bytes.uint16(at: after), after + 2 <= self.end, unit != 0 { after += 2 }
            guard after + 2 <= self.end else { return nil }
            name = Self.text(bytes, start + 6..<after)
            // All begins where a number of 32 bits could. Values that are texts are counted in units of these.
            let first = min(self.end, (after + 2 + 3) & ~3)
            value = first..<min(self.end, first + (isText == 1 ? size * 2 : size))
        }

        func children(_ bytes: [UInt8]) -> [Node] {
            var nodes: [Node] = []
            var at = (value.upperBound + 3) & ~3
            while nodes.count < VersionInformation.mostNodes, let node = Node(bytes, at: at, end: end) {
                nodes.append(node)
                at = (node.end + 3) & ~3
            }
            return nodes
        }

        /// Letters up to a zero.
        static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
            let units = stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).lazy
                .compactMap { bytes.uint16(at: $0) }.prefix { $0 != 0 }
            return String(decoding: units.map { UInt16($0) }, as: UTF16.self)
        }
    }
}

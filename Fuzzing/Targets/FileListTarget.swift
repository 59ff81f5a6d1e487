@testable import Vitrine

extension FuzzTarget {
    /// A list of files; its first byte says in pieces of which size it comes.
    static let fileList = FuzzTarget(
        name: "file-list", maximumLength: 2 * NameSplitter.longest,
        seeds: {
            let long = [UInt8](repeating: 0x61, count: NameSplitter.longest)
            return [Array("\u{3}a\n./b c\n\nfile:///d\r\n".utf8), [200] + long + [0x0A] + long.prefix(9)]
        },
        words: ["\n", "\n\n", "\0", "file://", "../"],
        check: { bytes in
            let size = Int(bytes.first ?? 0) * 64 + 1
            let content = bytes.dropFirst()
            var (whole, inPieces) = (NameSplitter(separator: 0x0A), NameSplitter(separator: 0x0A))
            var parts = whole.take(content)
            if let last = whole.finish() { parts.append(last) }
            var others: [NameSplitter.Part] = []
            var rest = content
            while !rest.isEmpty {
                others += inPieces.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            if let last = inPieces.finish() { others.append(last) }
            try hold(parts == others, "a list says something else in pieces of \(size) bytes")
            for part in parts {
                guard case .name(let name) = part else { continue }
                try hold(1...NameSplitter.longest ~= name.count, "a name has \(name.count) bytes")
                try hold(!name.contains(0x0A), "a name holds a line feed")
            }
            let lines = content.split(separator: 0x0A).filter { !$0.elementsEqual([0x0D]) }
            try hold(lines.count == parts.count, "there are \(lines.count) lines, and \(parts.count) parts of them")
        })
}

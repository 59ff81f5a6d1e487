internal import CompoundFiles

/// The table of a package of Android that says which file or text a resource is on which kind of screen (`resources.arsc`).
struct AndroidResources {
    /// A text, or the path of a file.
    struct Text {
        let text: String
        /// Dots an inch of the screens for which it is; 0 for any.
        let density: Int
    }

    private let bytes: [UInt8]
    private let strings: AndroidStrings
    /// Chunks by the number of their package and that of their kind of resource, the lowest eight bits.
    private var chunks: [Int: [AndroidChunk]] = [:]

    /// References that lead to references, texts of one resource, and chunks that are looked at for them.
    private static let mostSteps = 8, mostTexts = 256, mostVisits = 1 << 14
    /// Bytes of a chunk of values up to the density of its screens, which all have.
    private static let shortest = 36

    /// Finds the parts of the table.
    /// - Returns: `nil` for what is no table, or damaged.
    init?(_ bytes: [UInt8]) {
        guard let whole = AndroidChunk.whole(bytes, .table) else { return nil }
        let chunks = AndroidChunk.chunks(bytes, in: whole.body)
        guard let strings = chunks.first(where: { $0.kind == .strings }).flatMap({ AndroidStrings(bytes, $0) }) else {
            return nil
        }
        (self.bytes, self.strings) = (bytes, strings)
        for package in chunks where package.kind == .package {
            guard let number = bytes.uint32(at: package.range.lowerBound + 8) else { continue }
            for chunk in AndroidChunk.chunks(bytes, in: package.body)
            where chunk.kind == .values && chunk.body.lowerBound - chunk.range.lowerBound >= Self.shortest {
                self.chunks[number << 8 | Int(bytes[chunk.range.lowerBound + 8]), default: []].append(chunk)
            }
        }
    }

    /// What a resource is.
    /// - Parameter number: its package, kind and place there, in eight, eight and sixteen bits.
    func texts(of number: Int) -> [Text] {
        var found: [Text] = []
        var visits = Self.mostVisits
        gather(number, 0, &visits, &found)
        return found
    }

    private func gather(_ number: Int, _ step: Int, _ visits: inout Int, _ found: inout [Text]) {
        guard step < Self.mostSteps else { return }
        for chunk in chunks[number >> 16] ?? [] {
            visits -= 1
            guard visits > 0, found.count < Self.mostTexts else { return }
            switch value(number & 0xFFFF, chunk) {
            case .string(let string):
                guard let text = strings[string] else { continue }
                found.append(Text(text: text, density: bytes.uint16(at: chunk.range.lowerBound + 34) ?? 0))
            // The next one is in the table, too, for the same kinds of screens.
            case .reference(let other): gather(other, step + 1, &visits, &found)
            case nil: continue
            }
        }
    }

    /// The value of an entry in a chunk (`ResTable_type`); `nil` where it has none, or more than one.
    private func value(_ entry: Int, _ chunk: AndroidChunk) -> AndroidValue? {
        let start = chunk.range.lowerBound
        guard let count = bytes.uint32(at: start + 12), let first = bytes.uint32(at: start + 16),
            let offset = offset(of: entry, count, chunk)
        else { return nil }
        let at = start + first + offset
        guard at + 8 <= chunk.range.upperBound, let flags = bytes.uint16(at: at + 2) else { return nil }
        // A compact one holds its value itself.
        if flags & 8 != 0 {
            return bytes.uint32(at: at + 4).flatMap { AndroidValue(kind: UInt8(flags >> 8), data: $0) }
        }
        guard flags & 1 == 0, let length = bytes.uint16(at: at), at + length + 8 <= chunk.range.upperBound else {
            return nil
        }
        return AndroidValue(bytes, at: at + length)
    }

    /// Where an entry is: by its place in a list of offsets, of which there are three forms.
    private func offset(of entry: Int, _ count: Int, _ chunk: AndroidChunk) -> Int? {
        let (list, flags) = (chunk.body.lowerBound, bytes[chunk.range.lowerBound + 9])
        if flags & 1 != 0 {
            // Only those that are there, each with its number, in the order of these.
            var (low, high) = (0, min(count, chunk.body.count / 4))
            while low < high {
                let middle = (low + high) / 2
                if bytes.uint16(at: list + middle * 4) ?? 0 < entry { low = middle + 1 } else { high = middle }
            }
            guard low < count, bytes.uint16(at: list + low * 4) == entry else { return nil }
            return bytes.uint16(at: list + low * 4 + 2).map { $0 * 4 }
        }
        guard entry < count else { return nil }
        if flags & 2 != 0 {
            return bytes.uint16(at: list + entry * 2).flatMap { $0 == 0xFFFF ? nil : $0 * 4 }
        }
        return bytes.uint32(at: list + entry * 4).flatMap { $0 == 0xFFFF_FFFF ? nil : $0 }
    }
}

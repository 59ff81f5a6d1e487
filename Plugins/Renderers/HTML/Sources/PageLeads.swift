internal import MIME

/// Where a page leads that only holds others: to its frames, or to the page that it asks to be replaced by (HTML, 16.3 and 4.2.5.3).
struct PageLeads {
    /// How the room of a frameset is shared out, and how many of its places are taken.
    private struct Frameset {
        let columns: [Double], rows: [Double]
        /// Its own part of the window.
        let area: Double
        var taken = 0

        /// The area of the next place; nothing where there is none.
        mutating func next() -> Double {
            defer { taken += 1 }
            return taken < columns.count * rows.count
                ? area * rows[taken / columns.count] * columns[taken % columns.count] : 0
        }
    }

    private var framesets: [Frameset] = []
    private var frames: [(address: String, area: Double)] = []
    private var replacement: String?
    /// Of elements that a browser passes over which runs scripts.
    private var depthWithoutScripts = 0

    /// What a frameset is divided into at most, from side to side; and frames of a page in all.
    private static let mostParts = 64, mostFrames = 256
    /// Seconds after which a page is replaced that is not there to be read.
    private static let longestWait = 10
    /// The attributes that tell where a page leads.
    private static let telling: Set = ["src", "cols", "rows", "http-equiv", "content"]
    /// Pixels of CSS of a usual window, of which frames have a part.
    private static let usualWidth = 1000.0, usualHeight = 700.0

    /// The addresses as the page has them, that of most use first: of equal frames the last one, since lists of contents stand
    /// before what they lead to.
    var addresses: [String] {
        let sorted = frames.reversed().enumerated().sorted {
            ($1.element.area, $0.offset) < ($0.element.area, $1.offset)
        }
        return (replacement.map { [$0] } ?? []) + sorted.map(\.element.address)
    }

    /// Takes the beginning of an element.
    /// - Parameter tag: what stands behind its name, with the bracket that ends it.
    mutating func take(_ element: String, _ tag: ArraySlice<UInt8>) {
        if element == "noscript" { depthWithoutScripts += 1 }
        guard ["frame", "frameset", "meta"].contains(element), depthWithoutScripts == 0 else { return }
        var values: [String: String] = [:]
        for attribute in TagAttributes(tag)
        where Self.telling.contains(attribute.name) && attribute.value.count <= WebAddress.longest
            && values[attribute.name] == nil
        {
            let text = String(decoding: tag[attribute.value], as: UTF8.self)
            values[attribute.name] = String(HTMLText.withoutReferences(text).trimmed)
        }
        switch element {
        case "frameset":
            let area = framesets.isEmpty ? 1 : framesets[framesets.count - 1].next()
            framesets.append(
                Frameset(
                    columns: Self.parts(values["cols"], of: Self.usualWidth),
                    rows: Self.parts(values["rows"], of: Self.usualHeight), area: area))
        case "frame" where !framesets.isEmpty && frames.count < Self.mostFrames:
            let area = framesets[framesets.count - 1].next()
            if let address = values["src"], !address.isEmpty { frames.append((address, area)) }
        case "meta" where values["http-equiv"]?.lowercased() == "refresh":
            replacement = replacement ?? values["content"].flatMap(Self.replacement)
        default: break
        }
    }

    /// Takes the end of an element.
    mutating func end(_ element: String) {
        if element == "noscript" { depthWithoutScripts = max(0, depthWithoutScripts - 1) }
        if element == "frameset", !framesets.isEmpty { framesets.removeLast() }
    }

    /// The parts of a side, which are one together: of pixels, of hundredths, and of what those leave (HTML 4.01, 6.6).
    private static func parts(_ list: String?, of length: Double) -> [Double] {
        let entries = (list ?? "").split(separator: ",", maxSplits: mostParts).prefix(mostParts).map(\.trimmed)
        guard !entries.isEmpty else { return [1] }
        let numbers = entries.map { min(max(Double($0.prefix { $0.isASCII && $0.isNumber }) ?? 1, 0), 1e6) }
        var parts = zip(entries, numbers).map { entry, number in
            entry.hasSuffix("*") ? 0 : number / (entry.hasSuffix("%") ? 100 : length)
        }
        let shares = zip(entries, numbers).map { entry, number in entry.hasSuffix("*") ? number : 0 }
        let (left, all) = (max(0, 1 - parts.reduce(0, +)), shares.reduce(0, +))
        if all > 0 { for index in parts.indices { parts[index] += left * shares[index] / all } }
        let sum = parts.reduce(0, +)
        return sum > 0 ? parts.map { $0 / sum } : parts
    }

    /// The address behind the seconds to wait; `nil` for a page that asks for itself, or is to be read before.
    private static func replacement(_ content: String) -> String? {
        let seconds = content.trimmed.prefix { $0.isASCII && $0.isNumber }
        guard seconds.isEmpty || Int(seconds).map({ $0 <= longestWait }) == true else { return nil }
        var rest = content.drop { $0 != ";" && $0 != "," }.dropFirst().trimmed
        if rest.prefix(3).lowercased() == "url" {
            let behind = rest.dropFirst(3).trimmed
            if behind.first == "=" { rest = behind.dropFirst().trimmed }
        }
        if let quote = rest.first, quote == "'" || quote == "\"" { rest = rest.dropFirst().prefix { $0 != quote } }
        return rest.isEmpty ? nil : String(rest)
    }
}

public import VitrineKit

/// What a server says about an answer before it gives it.
public struct ResponseHead: Sendable {
    /// The status of HTTP, or the last reply of another protocol.
    public var status: Int
    /// The fields, names in lower case.
    public private(set) var fields: [(name: String, value: String)] = []

    /// An empty head.
    public init(status: Int = 0) { self.status = status }

    /// The first value of a field.
    /// - Parameter name: in lower case.
    public func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a field.
    public func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Bytes that the body has, where it is said.
    public var contentLength: Int64? { value("content-length").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } }

    /// When the content last changed.
    public var modified: Timestamp? { value("last-modified").flatMap { HTTPDate.parse($0) } }

    /// The mark of the version, as ``version(_:)`` compares it.
    public var etag: String? { value("etag").map(Self.version) }

    /// A mark without quotes, and without what says that it is weak: servers call a mark weak while a file is young, and
    /// later no more, and leave quotes out of listings.
    public static func version(_ etag: String) -> String {
        var etag = etag
        return etag.withUTF8 { version($0) }
    }

    /// The same of a mark that is still where it was read: listings have one for each entry.
    public static func version(_ etag: UnsafeBufferPointer<UInt8>) -> String {
        var mark = etag[...]
        if mark.starts(with: "W/".utf8) { mark = mark.dropFirst(2) }
        let quote = UInt8(ascii: "\"")
        if mark.count >= 2, mark.first == quote, mark.last == quote { mark = mark.dropFirst().dropLast() }
        return String(decoding: UnsafeBufferPointer(rebasing: mark), as: UTF8.self)
    }

    /// The first and last byte and the whole size, of `bytes 0-99/1000` (RFC 9110, section 14.4). Nothing of it is
    /// believed unless all of it makes sense.
    public var contentRange: (first: Int64, last: Int64, size: Int64?)? {
        guard let text = value("content-range"), text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", maxSplits: 1).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], 0 <= first, first <= last else { return nil }
        let size = Int64(parts[1])
        if let size, last >= size { return nil }
        return (first, last, size)
    }

    /// Seconds or a date (RFC 9110, section 10.2.3).
    /// - Parameter now: seconds since 1970, to tell how far away a date is.
    func retryAfter(now: Int64) -> Duration? {
        guard let text = value("retry-after") else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
        return HTTPDate.parse(text).map {
            .seconds(max(0, min($0.seconds.subtractingReportingOverflow(now).0, 1 << 31)))
        }
    }

    /// Takes a line as it came, with its end. A status line begins a new head: what came before was provisional.
    mutating func take(line: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            let words = text.split(separator: " ", maxSplits: 2)
            self = ResponseHead(status: words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0)
            return
        }
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].lowercased()
        fields.append((name, String(text[text.index(after: colon)...]).trimmed))
    }
}

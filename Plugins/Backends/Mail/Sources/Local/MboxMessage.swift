import Glibc
import VitrineKit

/// A message in an mbox file, without the marks that quote its lines `From `.
struct MboxMessage: Sendable {
    let file: LocalFile
    let place: MboxScan.Place
    /// Which `>` are left out, counted from the beginning of the message, in their order.
    private let quotes: [Int64]

    /// No letter quotes as many; beyond them lines stay as they are.
    private static let mostQuotes = 100_000
    private static let piece = 1 << 20

    init(_ file: LocalFile, _ place: MboxScan.Place) throws(PluginError) {
        self.file = file
        self.place = place
        var quotes: [Int64] = []
        var from = place.begin
        // A line may begin with the message.
        var isLineStart = true
        while from < place.end, quotes.count < Self.mostQuotes {
            let bytes = try file.read(at: from, count: Int(min(Int64(Self.piece), place.end - from)))
            guard !bytes.isEmpty else { break }
            var taken = bytes.count
            var at = isLineStart ? 0 : bytes.firstIndex(of: 0x0A).map { $0 + 1 }
            while let start = at, start < bytes.count {
                if bytes[start] == 0x3E {
                    let rest = bytes[start...].drop { $0 == 0x3E }
                    if rest.count < 5, start > 0, from + Int64(bytes.count) < place.end {
                        // The rest of the line is in the next piece.
                        taken = start
                        break
                    }
                    if rest.starts(with: "From ".utf8) { quotes.append(from - place.begin + Int64(start)) }
                }
                at = Self.nextLine(bytes, start)
            }
            isLineStart = taken < bytes.count || bytes.last == 0x0A
            from += Int64(taken)
        }
        self.quotes = quotes
    }

    private static func nextLine(_ bytes: [UInt8], _ start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base + start, 0x0A, buffer.count - start) else {
                return nil
            }
            return UnsafeRawPointer(found) - base + 1
        }
    }

    /// Bytes without the quotes.
    var size: Int64 { place.end - place.begin - Int64(quotes.count) }

    /// Reads a range; less only at its end.
    func read(at offset: Int64, count: Int) throws(PluginError) -> [UInt8] {
        guard offset < size, count > 0 else { return [] }
        let end = min(size, offset + Int64(count))
        let (first, last) = (position(of: offset), position(of: end - 1) + 1)
        let bytes = try file.read(at: place.begin + first, count: Int(last - first))
        guard bytes.count == last - first else { return bytes }
        let inside = quotes[firstQuote(at: first)...].prefix { $0 < last }
        guard !inside.isEmpty else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count - inside.count)
        var from = 0
        for quote in inside {
            out += bytes[from..<Int(quote - first)]
            from = Int(quote - first) + 1
        }
        return out + bytes[from...]
    }

    /// Where a byte of the message is in the file, counted from the beginning of the message.
    private func position(of offset: Int64) -> Int64 {
        var (low, high) = (0, quotes.count)
        while low < high {
            let middle = (low + high) / 2
            if quotes[middle] - Int64(middle) <= offset { low = middle + 1 } else { high = middle }
        }
        return offset + Int64(low)
    }

    private func firstQuote(at position: Int64) -> Int {
        var (low, high) = (0, quotes.count)
        while low < high {
            let middle = (low + high) / 2
            if quotes[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

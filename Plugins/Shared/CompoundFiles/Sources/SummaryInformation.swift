package import VitrineKit

/// The properties of a compound file ([MS-OLEPS] 2.20, 3.1): a stream in which each has a number.
package struct SummaryInformation {
    /// Properties by their numbers.
    package enum Property: Int {
        case title = 2
        case author = 4
        case created = 12
        case pages = 14
        case thumbnail = 17
        /// The program that wrote the document. LibreOffice does not name itself.
        case program = 18
    }

    private let bytes: [UInt8]
    /// Where each property lies.
    private var places: [Int: Int] = [:]
    private var codePage = 1252

    /// Thumbnails are among the properties.
    private static let longest = 1 << 20
    private static let mostProperties = 64

    /// - Returns: `nil` when there are none, or they make no sense.
    package init?(_ file: CompoundFile) {
        guard let bytes = try? file.head(of: "\u{5}SummaryInformation", count: Self.longest) else { return nil }
        self.init(bytes)
    }

    /// Takes the stream itself.
    package init?(_ bytes: [UInt8]) {
        guard bytes.uint16(at: 0) == 0xFFFE, let start = bytes.uint32(at: 44),
            let count = bytes.uint32(at: start + 4)
        else { return nil }
        self.bytes = bytes
        for index in 0..<min(count, Self.mostProperties) {
            guard let id = bytes.uint32(at: start + 8 + index * 8),
                let offset = bytes.uint32(at: start + 12 + index * 8)
            else { break }
            places[id] = start + offset
        }
        if let place = places[1], let page = bytes.uint16(at: place + 4) { codePage = page }
    }

    /// A text: in the code page that the stream names, of which UTF-8, UTF-16 and Windows' western one are known; of others
    /// ASCII alone.
    package func text(_ property: Property) -> String? {
        guard let place = places[property.rawValue], let type = bytes.uint16(at: place),
            let count = bytes.uint32(at: place + 4), 1...(64 << 10) ~= count
        else { return nil }
        let start = place + 8
        let size = type == 31 ? count * 2 : count
        guard start + size <= bytes.count else { return nil }
        let content = bytes[start..<(start + size)]
        if type == 31 || (type == 30 && codePage == 1200) {
            let units = stride(from: 0, to: size - 1, by: 2).compactMap {
                bytes.uint16(at: start + $0).map(UInt16.init)
            }
            return Facts.line(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
        }
        guard type == 30 else { return nil }
        let letters = content.prefix { $0 != 0 }
        if codePage == 65001 { return Facts.line(String(decoding: letters, as: UTF8.self)) }
        guard codePage == 1252 || letters.allSatisfy({ $0 < 0x80 }) else { return nil }
        return Facts.line(String(String.UnicodeScalarView(letters.map { Unicode.Scalar($0) })))
    }

    /// A number above 0.
    package func number(_ property: Property) -> Int? {
        guard let place = places[property.rawValue], bytes.uint16(at: place) == 3,
            let number = bytes.uint32(at: place + 4), 1...1_000_000 ~= number
        else { return nil }
        return number
    }

    /// The thumbnail, as ``ClipboardPicture`` reads it.
    package var thumbnail: [UInt8]? {
        guard let place = places[Property.thumbnail.rawValue], bytes.uint16(at: place) == 71,
            let size = bytes.uint32(at: place + 4), 8...Self.longest ~= size, place + 8 + size <= bytes.count
        else { return nil }
        return Array(bytes[(place + 8)..<(place + 8 + size)])
    }

    /// A time: tenths of microseconds since 1601.
    package func time(_ property: Property) -> FactDate? {
        guard let place = places[property.rawValue], bytes.uint16(at: place) == 64,
            let low = bytes.uint32(at: place + 4), let high = bytes.uint32(at: place + 8), high < 1 << 31
        else { return nil }
        let ticks = Int64(high) << 32 | Int64(low)
        return ticks == 0 ? nil : FactDate(secondsSince1970: ticks / 10_000_000 - 11_644_473_600)
    }
}

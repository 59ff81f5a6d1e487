internal import BinaryNumbers
internal import VitrineKit

/// Takes a FIT file apart into its messages ("Flexible and Interoperable Data Transfer Protocol", Garmin).
///
/// A file may be several ones behind each other. What a device wrote before it lost its power is read as far as it goes; sums
/// are not checked, since what they are wrong for is seen by the places.
struct FITFile {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0
    /// By local type.
    private var definitions = [FITMessage.Definition?](repeating: nil, count: 16)
    /// Seconds since the end of 1989, as the last message that has a time said it.
    private var clock: UInt32?

    /// The field that has the time in each kind of message.
    private static let timestamp: UInt8 = 253

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Calls a closure with each message, in the order of the file.
    /// - Parameter body: takes a message, and its time in seconds since 1970, if it or one before it has one.
    /// - Returns: whether all messages could be read, up to the end that the file names, if it names one.
    /// - Throws: `corrupt` for what is no FIT file, and what `body` throws.
    mutating func forEachMessage(
        _ body: (FITMessage, Double?) throws(PluginError) -> Void
    ) throws(PluginError) -> Bool {
        guard var header = begin() else {
            throw PluginError(.corrupt, "the file is no FIT file: it does not begin with the header of one")
        }
        while true {
            let isRead = try readMessages(upTo: header.end ?? bytes.count, body)
            guard let end = header.end else { return true }
            guard isRead else { return false }
            // Two bytes of a sum, and then perhaps another file.
            at = end + 2
            guard at < bytes.count, let next = begin() else { return true }
            header = next
        }
    }

    private struct Header {
        /// Where the messages end; `nil` for a recording that was never ended, which does not say it.
        var end: Int?
    }

    /// Reads the header of a file.
    /// - Returns: `nil` where there is none.
    private mutating func begin() -> Header? {
        guard bytes.count - at >= 12 else { return nil }
        let size = Int(bytes[at])
        guard size >= 12, bytes.count - at >= size, bytes[(at + 8)..<(at + 12)].elementsEqual(".FIT".utf8) else {
            return nil
        }
        let length = Int(bytes.number(UInt32.self, at: at + 4))
        at += size
        definitions = [FITMessage.Definition?](repeating: nil, count: 16)
        clock = nil
        return Header(end: length == 0 ? nil : at + length)
    }

    /// - Returns: whether all messages up to a place could be read.
    private mutating func readMessages(
        upTo end: Int, _ body: (FITMessage, Double?) throws(PluginError) -> Void
    ) throws(PluginError) -> Bool {
        let last = min(end, bytes.count)
        while at < last {
            let head = bytes[at]
            at += 1
            // Where the highest bit is set, the message has a short time in its first byte, and is none that defines.
            if head & 0x80 == 0, head & 0x40 != 0 {
                guard let definition = definition(hasDevelopers: head & 0x20 != 0, last) else { return false }
                definitions[Int(head & 15)] = definition
                continue
            }
            let isShort = head & 0x80 != 0
            guard let definition = definitions[Int(isShort ? head >> 5 & 3 : head & 15)], definition.size <= last - at
            else {
                return false
            }
            let message = FITMessage(
                definition: definition, bytes: UnsafeRawBufferPointer(rebasing: bytes[at..<at + definition.size]))
            at += definition.size
            if isShort {
                // The lowest five bits of a time that is at most half a minute after the last one.
                clock = clock.map { $0 &+ (UInt32(head & 31) &- $0) & 31 }
            } else if let time = message.number(Self.timestamp, UInt32.self) {
                clock = time
            }
            try body(message, clock.flatMap(Self.seconds))
        }
        return end <= bytes.count
    }

    private mutating func definition(hasDevelopers: Bool, _ end: Int) -> FITMessage.Definition? {
        guard end - at >= 5 else { return nil }
        let isBigEndian = bytes[at + 1] == 1
        let number = bytes.number(UInt16.self, at: at + 2, isBigEndian: isBigEndian)
        let count = Int(bytes[at + 4])
        at += 5
        guard end - at >= 3 * count else { return nil }
        var fields: [UInt8: FITMessage.Field] = [:]
        var size = 0
        for _ in 0..<count {
            let length = Int(bytes[at + 1])
            fields[bytes[at]] = FITMessage.Field(offset: size, size: length, base: bytes[at + 2])
            size += length
            at += 3
        }
        if hasDevelopers {
            guard at < end, case let count = Int(bytes[at]), end - at > 3 * count else { return nil }
            for field in 0..<count { size += Int(bytes[at + 2 + 3 * field]) }
            at += 1 + 3 * count
        }
        return FITMessage.Definition(number: number, isBigEndian: isBigEndian, fields: fields, size: size)
    }

    /// Seconds since 1970 of a time since 31 December 1989; `nil` for one that counts from when a device was switched on.
    static func seconds(_ time: UInt32) -> Double? { time < 0x1000_0000 ? nil : Double(time) + 631_065_600 }
}

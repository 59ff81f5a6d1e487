import MIME
import VitrineKit

/// Reads heads and parts of messages of this machine.
enum LocalMessage {
    private static let piece = 256 << 10
    /// The head of nearly every message.
    private static let usualHead = 8 << 10

    /// The head of a message.
    /// - Parameter read: reads a range of it; less only at its end.
    static func head(_ read: (Int64, Int) throws(PluginError) -> [UInt8]) throws(PluginError) -> HeaderFields {
        var count = usualHead
        while true {
            let bytes = try read(0, count)
            if bytes.count < count || count >= HeaderFields.longest || hasEnd(bytes) { return HeaderFields(bytes) }
            count *= 8
        }
    }

    /// The parts of a message.
    static func parts(
        _ size: Int64, _ read: (Int64, Int) throws(PluginError) -> [UInt8]
    ) throws(PluginError) -> [MIMEPart] {
        var scanner = MIMEScanner()
        var at: Int64 = 0
        while at < size {
            let bytes = try read(at, Int(min(Int64(piece), size - at)))
            guard !bytes.isEmpty else { break }
            scanner.take(bytes)
            at += Int64(bytes.count)
        }
        scanner.finish()
        return scanner.parts
    }

    private static func hasEnd(_ bytes: [UInt8]) -> Bool {
        var before: UInt8 = 0x0A
        var lineIsEmpty = true
        for byte in bytes {
            if byte == 0x0A {
                if lineIsEmpty, before != 0 { return true }
                lineIsEmpty = true
            } else if byte != 0x0D {
                lineIsEmpty = false
            }
            before = byte
        }
        return false
    }
}

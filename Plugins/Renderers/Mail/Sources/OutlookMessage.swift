internal import CompoundFiles
internal import PictureDecoding
internal import VitrineKit

/// A mail that Outlook saved: a compound file with a stream for each property ([MS-OXMSG] 2.1, 2.4).
struct OutlookMessage: OutlookProperties {
    private let file: CompoundFile
    /// Of the properties that are numbers and times.
    private let numbers: [UInt8]

    private static let longest = 128 << 10

    /// What the storage of each attachment begins with ([MS-OXMSG] 2.2.2), and the stream of its bytes in it.
    private static let attachment = "__attach_version1.0_#", content = "__substg1.0_37010102"

    /// Reads a mail.
    /// - Throws: `unsupported` when the compound file is something else, `corrupt`, or what the input throws.
    static func letter(_ input: any RandomAccessInput) throws(PluginError) -> Letter {
        let file = try CompoundFile(input)
        guard let numbers = try file.head(of: "__properties_version1.0", count: 32 + 16 * 512) else {
            throw PluginError(
                .unsupported, "the compound file holds no mail of Outlook, and nothing else that is known")
        }
        var letter = try Self(file: file, numbers: numbers).letter()
        // Each attachment is a storage.
        let attachments = file.entries.keys.filter { $0.hasPrefix(attachment) }.sorted()
        letter.attachments = min(99, attachments.count)
        letter.pictures = try pictures(attachments.prefix(mostLookedAt), file)
        letter.hasPicture = !letter.pictures.files.isEmpty
        return letter
    }

    private static let mostLookedAt = 50

    /// The pictures among the attachments.
    private static func pictures(
        _ names: ArraySlice<String>, _ file: CompoundFile
    ) throws(PluginError) -> MailPictures {
        var pictures = MailPictures()
        for name in names where !pictures.isFull {
            guard let stream = file.streams(of: name)[content], stream.size <= MailPictures.longest,
                let head = try file.head(of: stream, count: 16), PictureDecoder.canDecode(head),
                let bytes = try file.head(of: stream, count: stream.size)
            else { continue }
            pictures.append(bytes)
        }
        return pictures
    }

    func value(of property: OutlookProperty, _ type: OutlookType) throws(PluginError) -> [UInt8]? {
        switch type {
        case .text, .unicode, .bytes:
            let name = String(property.rawValue << 16 | type.rawValue, radix: 16, uppercase: true)
            return try file.head(
                of: "__substg1.0_" + String(repeating: "0", count: max(0, 8 - name.count)) + name, count: Self.longest)
        case .number, .time:
            // [MS-OXMSG] 2.4.2.1.
            for at in stride(from: 32, to: numbers.count - 15, by: 16)
            where numbers.uint16(at: at) == type.rawValue && numbers.uint16(at: at + 2) == property.rawValue {
                return Array(numbers[(at + 8)..<(at + 16)])
            }
            return nil
        }
    }
}

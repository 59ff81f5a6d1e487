internal import CompoundFiles
internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// A mail of Outlook in the form that others get as the attachment `winmail.dat`: attributes one after the other, one of which
/// holds the mail's properties ([MS-OXTNEF]).
struct TransportMessage: OutlookProperties {
    /// The bytes that one begins with.
    static let signature: [UInt8] = [0x78, 0x9F, 0x3E, 0x22]

    /// Attributes of the mail ([MS-OXTNEF] 2.1.3.2) whose content is read.
    private enum Attribute: Int {
        case subject = 0x0001_8004
        case body = 0x0002_800C
        case properties = 0x0006_9003
        case codePage = 0x0006_9007
    }

    /// What begins the attributes of something that is attached, its name, and its bytes.
    private static let attachment = 0x0006_9002, attachedName = 0x0001_8010, attachedBytes = 0x0006_800F
    /// Attributes that are gone by, and bytes of one, and of all, that are read: a body of some pages.
    private static let most = 10_000, longest = 1 << 20, longestOfAll = 4 << 20

    /// What a value is found by.
    private struct Key: Hashable {
        let property: OutlookProperty
        let type: OutlookType
    }

    private var values: [Key: [UInt8]] = [:]
    private var attachments = 0
    /// What the attachments are called.
    private var names: [[UInt8]] = []
    private static let mostNames = 20
    private var pictures = MailPictures()

    /// Reads a mail.
    /// - Throws: `corrupt` for what is none, `empty` for one that says nothing, or what the input throws.
    static func letter(_ input: any RandomAccessInput) throws(PluginError) -> Letter {
        let message = try Self(input)
        var letter = try message.letter()
        letter.attachments = min(99, message.attachments)
        letter.pictures = message.pictures
        // Often nothing but what is attached got lost.
        if letter.text.isEmpty {
            let charset = try message.charset
            letter.text = message.names.compactMap { Letter.line(Charset.likelyText($0, charset: charset)) }
                .joined(separator: "\n")
        }
        guard letter.subject != nil || letter.sender != nil || !letter.text.isEmpty || letter.attachments > 0 else {
            throw PluginError(.empty, "the mail has neither a subject nor a text nor anything attached")
        }
        return letter
    }

    private init(_ input: any RandomAccessInput) throws(PluginError) {
        guard try input.head(4) == Self.signature else {
            throw PluginError(.corrupt, "the file is no mail of Outlook: it does not begin like one")
        }
        // Behind a key.
        var (at, left): (Int64, Int) = (6, Self.longestOfAll)
        for _ in 0..<Self.most {
            let head = try input.bytes(at: at, count: 9)
            // Whether it is of the mail or of something attached, which attribute it is, and its length.
            guard head.count == 9, 1...2 ~= head[0], let kind = head.uint32(at: 1), let length = head.uint32(at: 5)
            else {
                break
            }
            if kind == Self.attachment { attachments += 1 }
            if kind == Self.attachedName, names.count < Self.mostNames {
                names.append(Array(try input.bytes(at: at + 9, count: min(length, 256)).prefix { $0 != 0 }))
            }
            if kind == Self.attachedBytes, length <= MailPictures.longest, !pictures.isFull,
                PictureDecoder.canDecode(try input.bytes(at: at + 9, count: min(length, 16)))
            {
                let bytes = try input.bytes(at: at + 9, count: length)
                if bytes.count == length { pictures.append(bytes) }
            }
            if head[0] == 1, let attribute = Attribute(rawValue: kind) {
                let content = try input.bytes(at: at + 9, count: min(length, Self.longest, left))
                left -= content.count
                take(attribute, content)
            }
            // A sum of the bytes stands behind them.
            at += 9 + Int64(length) + 2
        }
    }

    /// Properties count more than the attributes that older programs read.
    private mutating func take(_ attribute: Attribute, _ content: [UInt8]) {
        func put(_ property: OutlookProperty, _ type: OutlookType, _ value: [UInt8]) {
            let key = Key(property: property, type: type)
            if values[key] == nil { values[key] = value }
        }
        switch attribute {
        case .subject: put(.subject, .text, content)
        case .body: put(.body, .text, content)
        case .codePage: put(.codePage, .number, content)
        case .properties:
            for (property, type, value) in PropertyList(content) {
                guard let property = OutlookProperty(rawValue: property), let type = OutlookType(rawValue: type) else {
                    continue
                }
                values[Key(property: property, type: type)] = Array(value)
            }
        }
    }

    func value(of property: OutlookProperty, _ type: OutlookType) throws(PluginError) -> [UInt8]? {
        values[Key(property: property, type: type)]
    }

    /// The properties of a mail, one after the other ([MS-OXTNEF] 2.1.3.4), by their numbers; those with several values, and with a
    /// name of their own, are gone by.
    private struct PropertyList: Sequence, IteratorProtocol {
        private let bytes: [UInt8]
        private var at = 4

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> (property: Int, type: Int, value: ArraySlice<UInt8>)? {
            while let type = bytes.uint16(at: at), let property = bytes.uint16(at: at + 2) {
                at += 4
                if property >= 0x8000, !skipName() { return nil }
                let isList = type & 0x1000 != 0
                guard let value = value(type & 0xFFF, isList: isList) else { return nil }
                if !isList, property < 0x8000 { return (property, type, value) }
            }
            return nil
        }

        /// Goes by the name of a property that has one: of a number, or of letters.
        private mutating func skipName() -> Bool {
            guard let kind = bytes.uint32(at: at + 16), let number = bytes.uint32(at: at + 20) else { return false }
            at += 24
            if kind != 0 { at += Self.padded(number) }
            return true
        }

        /// - Returns: the last of its values; `nil` where the list is damaged.
        private mutating func value(_ type: Int, isList: Bool) -> ArraySlice<UInt8>? {
            guard let size = Self.sizes[type] else { return nil }
            var count = 1
            if isList || size == 0 {
                guard let said = bytes.uint32(at: at) else { return nil }
                (count, at) = (said, at + 4)
            }
            var value: ArraySlice<UInt8> = []
            for _ in 0..<count {
                var length = size
                if size == 0 {
                    guard let said = bytes.uint32(at: at) else { return nil }
                    (length, at) = (said, at + 4)
                }
                guard length == 0 || at < bytes.count else { return nil }
                value = bytes.dropFirst(at).prefix(length)
                at += Self.padded(length)
            }
            return value
        }

        private static func padded(_ length: Int) -> Int { (length + 3) / 4 * 4 }

        /// Bytes of a value by its type ([MS-OXCDATA] 2.11.1); none where they are told.
        private static let sizes = [
            0x01: 4, 0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x0D: 0, 0x14: 8, 0x1E: 0,
            0x1F: 0, 0x40: 8, 0x48: 16, 0x102: 0,
        ]
    }
}

/// A part of a message that is not made of others: a text, a file, or another message that is attached.
public struct MIMEPart: Sendable {
    /// What it is, with its parameters.
    public var type: FieldValue
    /// `attachment` or `inline`, with the name of a file.
    public var disposition: FieldValue?
    /// How its bytes are written.
    public var coding: TransferCoding
    /// Where it is in the message, as IMAP counts parts: `2.1` (RFC 9051, section 6.4.5.1).
    public var section: String
    /// Where its bytes begin in the message, before decoding; 0 where only the section is known.
    public var offset: Int64
    /// How many bytes it has before decoding.
    public var encodedSize: Int64
    /// By what other parts name it (RFC 2557, section 4): an address, and a number of its own without its brackets.
    public var location: String?
    /// See ``location``.
    public var contentID: String?

    /// Describes a part.
    public init(
        type: FieldValue, disposition: FieldValue? = nil, coding: TransferCoding = .identity, section: String,
        offset: Int64 = 0, encodedSize: Int64 = 0
    ) {
        self.type = type
        self.disposition = disposition
        self.coding = coding
        self.section = section
        self.offset = offset
        self.encodedSize = encodedSize
    }

    /// The most parts of a message that are looked at.
    public static let most = 1000
    /// How deep messages and parts in one another are followed.
    public static let deepest = 20

    /// The file's name as the sender wrote it.
    public var fileName: String? { disposition?["filename"] ?? type["name"] }

    /// Whether it is another message.
    public var isMessage: Bool { type.value == "message/rfc822" || type.value == "message/global" }

    /// Whether people would call it an attachment: a file, whatever its disposition says, but neither the message's own
    /// text nor what only proves or hides it.
    public var isAttachment: Bool {
        switch type.value {
        case "application/pgp-signature", "application/pgp-encrypted", "application/pkcs7-signature",
            "application/x-pkcs7-signature":
            return false
        case "text/plain", "text/html": return disposition?.value == "attachment" || fileName != nil
        case "message/delivery-status", "message/disposition-notification", "text/rfc822-headers":
            return fileName != nil
        default: return encodedSize > 0 || fileName != nil
        }
    }

    /// Whether it is a text to be read with the message.
    public var isText: Bool { (type.value == "text/plain" || type.value == "text/html") && !isAttachment }
}

import MIME
import VitrineKit

/// A file of a message.
struct Attachment: Sendable {
    var part: MIMEPart
    /// What a listing says; without a size where only decoding tells it.
    var entry: Entry

    /// The attachments of a message, those of messages in it among them; each name comes once.
    static func all(of parts: [MIMEPart], _ message: MailMessage) -> [Attachment] {
        var names = AttachmentNames()
        return parts.filter(\.isAttachment).map { part in
            var entry = Entry(name: Array(names.name(for: part).utf8), kind: .file, modified: message.date)
            if part.coding == .identity { entry.size = part.encodedSize }
            if part.encodedSize == 0 { entry.size = 0 }
            entry.etag = "\(message.etag)/\(part.section)"
            entry.contentType = part.type.value
            return Attachment(part: part, entry: entry)
        }
    }
}

import MIME
import VitrineKit

/// A message as it is listed.
struct MailMessage: Sendable {
    /// What tells it from others of its mailbox; letters and digits.
    var mark: String
    /// Decoded, on one line; may be empty.
    var subject: String
    /// When it was written, else when it came.
    var date: Timestamp?
    /// Bytes as it was sent; `nil` when that is not known without reading it.
    var size: Int64?
    /// Changes when another message has the mark.
    var etag: String
    /// Its parts, where they are known.
    var parts: [MIMEPart]?
    /// Whether it may have attachments, as far as is known without reading it.
    var mayHaveAttachments: Bool

    /// Scalars of a subject that are kept.
    private static let longestSubject = 1000

    /// Describes a message.
    init(
        mark: String, subject: String, date: Timestamp?, size: Int64?, etag: String, parts: [MIMEPart]? = nil,
        mayHaveAttachments: Bool
    ) {
        self.mark = mark
        self.subject = String(String.UnicodeScalarView(subject.unicodeScalars.prefix(Self.longestSubject)))
        self.date = date
        self.size = size
        self.etag = etag
        self.parts = parts
        self.mayHaveAttachments = mayHaveAttachments
    }

    /// Reads a head.
    init(mark: String, head: HeaderFields, date: Timestamp?, size: Int64?, etag: String) {
        let type = head.value("content-type").map { FieldValue($0) } ?? FieldValue("text/plain")
        let disposition = head.value("content-disposition").map { FieldValue($0) }
        let single = MIMEPart(type: type, disposition: disposition, section: "1", encodedSize: 1)
        self.init(
            mark: mark, subject: head.text("subject") ?? "", date: head.date ?? date, size: size, etag: etag,
            mayHaveAttachments: type.value.hasPrefix("multipart/")
                ? type.value != "multipart/alternative" : single.isAttachment)
    }
}

import MIME
import Transfer
import VitrineKit

/// What a message is called: `2024-01-31 Subject (mark)`. The mark finds it, the rest is for people.
enum MessageName {
    /// The ending of a message as a file.
    static let ending = ".eml"
    private static let longestSubject = 120

    /// The name of the folder of its attachments.
    static func stem(_ message: MailMessage) -> String {
        var words: [String] = []
        if let seconds = message.date?.seconds, seconds >= 0, let date = FactDate(secondsSince1970: seconds) {
            words.append(String(date.text.prefix(10)))
        }
        let subject = AttachmentNames.safe(message.subject, longest: longestSubject)
        words.append(subject.isEmpty ? "No subject" : subject)
        return words.joined(separator: " ") + " (\(message.mark))"
    }

    /// The mark in a name, and whether the name is that of the message itself.
    static func mark(in name: [UInt8]) -> (mark: String, isFile: Bool)? {
        guard var text = String(validating: name, as: UTF8.self) else { return nil }
        let isFile = text.hasSuffix(ending)
        if isFile { text.removeLast(ending.count) }
        guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
        let mark = text[text.index(after: open)...].dropLast()
        guard 1...64 ~= mark.utf8.count, mark.utf8.allSatisfy({ isMark($0) }) else { return nil }
        return (String(mark), isFile)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// The message as a file.
    static func file(_ message: MailMessage) -> Entry {
        var entry = Entry(
            name: Array((stem(message) + ending).utf8), kind: .file, size: message.size, modified: message.date)
        entry.etag = message.etag
        entry.contentType = "message/rfc822"
        return entry
    }

    /// The folder of its attachments.
    static func folder(_ message: MailMessage) -> Entry {
        var entry = Entry(name: Array(stem(message).utf8), kind: .folder, modified: message.date)
        entry.etag = message.etag
        return entry
    }
}

extension HeaderFields {
    /// When it was written.
    var date: Timestamp? {
        // The zone's name may follow as a comment.
        text("date").flatMap { MailDate.parse(String($0.prefix { $0 != "(" })) }
    }
}

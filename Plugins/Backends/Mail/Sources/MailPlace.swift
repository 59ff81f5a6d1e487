import VitrineKit

/// What a path of a mail source stands for.
enum MailPlace {
    case mailbox(Mailbox)
    /// The folder of a message's attachments.
    case message(MailMessage, Mailbox)
    /// The message as a file.
    case file(MailMessage, Mailbox)
    case attachment(Attachment, MailMessage, Mailbox)

    /// What a listing says of it.
    var entry: Entry {
        switch self {
        case .mailbox(let mailbox): Entry(name: mailbox.path.last ?? [], kind: .folder)
        case .message(let message, _): MessageName.folder(message)
        case .file(let message, _): MessageName.file(message)
        case .attachment(let attachment, _, _): attachment.entry
        }
    }
}

internal import CMail
internal import MIME
internal import PictureDecoding

/// What the parts of a mail have to say: its text, its pictures, and how many files are attached.
struct MessageParts {
    private static let most = 500
    /// Bytes of a text that are read.
    private static let longestText = 256 << 10
    /// Bytes by which a picture is known.
    private static let beginning = 64
    /// Messages in one another, each signed, at most.
    private static let deepest = 4

    private var plain = ""
    private var html = ""
    private var invitation = ""
    private var hasPicture = false
    private var isEncrypted = false
    private var attachments = 0
    private var pictures = MailPictures()
    /// Whether the part that was read last is a picture that would be kept if it were whole, and whether it was kept.
    private var endsInPicture = false, keptLast = false
    private var count = 0
    /// Whether the text is found, and what follows belongs to a message that is passed on.
    private var isComplete = false

    /// Reads the first text that has words, a plain one before HTML, and of messages that are passed on only where there is none
    /// before them, and else a calendar; and counts the files that are attached.
    /// - Parameter isCut: whether the mail goes on, so that its last part is not there whole.
    /// - Returns: whether that part is a picture.
    static func read(
        _ message: UnsafeMutablePointer<GMimeMessage>, isCut: Bool, into letter: inout Letter
    ) -> Bool {
        var parts = MessageParts()
        parts.read(message, depth: 0)
        letter.text = [parts.plain, parts.html, parts.invitation].first { !$0.isEmpty } ?? ""
        letter.hasPicture = parts.hasPicture
        letter.isEncrypted = parts.isEncrypted
        letter.attachments = parts.attachments
        if isCut, parts.keptLast { parts.pictures.removeLast() }
        letter.pictures = parts.pictures
        return isCut && parts.endsInPicture
    }

    private mutating func read(_ message: UnsafeMutablePointer<GMimeMessage>, depth: Int) {
        guard let parts = cmail_parts(message) else { return }
        defer { g_mime_part_iter_free(parts) }
        // The iterator goes over what is inside of the outermost part.
        isEncrypted = isEncrypted || cmail_is_encrypted(g_mime_message_get_mime_part(message)) != 0
        while g_mime_part_iter_is_valid(parts) != 0, count < Self.most {
            count += 1
            if let part = g_mime_part_iter_get_current(parts) { take(part, depth: depth) }
            if g_mime_part_iter_next(parts) == 0 { break }
        }
    }

    private mutating func take(_ part: UnsafeMutablePointer<GMimeObject>, depth: Int) {
        (endsInPicture, keptLast) = (false, false)
        if cmail_is_cryptographic(part) != 0 {
            // Everybody can read what is only signed.
            guard depth < Self.deepest, readSigned(part, depth: depth) else { return isEncrypted = true }
            return
        }
        isEncrypted = isEncrypted || cmail_is_encrypted(part) != 0
        attachments += Int(cmail_is_attachment(part))
        hasPicture = hasPicture || cmail_is_picture(part) != 0
        takePicture(part)
        isComplete = isComplete || cmail_is_message(part) != 0 && !(plain.isEmpty && html.isEmpty)
        guard !isComplete else { return }
        if plain.isEmpty { plain = Self.text(part, "plain").map(Letter.body) ?? "" }
        if html.isEmpty { html = Self.text(part, "html").map { Letter.body(HTMLText.words($0)) } ?? "" }
        if invitation.isEmpty, plain.isEmpty, html.isEmpty {
            invitation = Self.text(part, "calendar").map { Letter.body(Invitation.words(Array($0.utf8))) } ?? ""
        }
    }

    /// Keeps a picture; some programs do not tell of what they attach that it is one.
    private mutating func takePicture(_ part: UnsafeMutablePointer<GMimeObject>) {
        let isTold = cmail_is_picture(part) != 0
        guard isTold || cmail_is_untold(part) != 0, !pictures.isFull else { return }
        // Not all of it may be there: whether it is a picture, its beginning tells.
        endsInPicture = isTold
        guard let content = cmail_content(part) else { return }
        defer { g_byte_array_unref(content) }
        let bytes = UnsafeBufferPointer(start: content.pointee.data, count: Int(content.pointee.len))
        endsInPicture = isTold || PictureDecoder.canDecode(Array(bytes.prefix(Self.beginning)))
        guard bytes.count <= MailPictures.longest else { return }
        let before = pictures.files.count
        pictures.append(Array(bytes))
        keptLast = pictures.files.count > before
    }

    /// Reads the message that a part holds beside its signature.
    /// - Returns: whether the part holds one.
    private mutating func readSigned(_ part: UnsafeMutablePointer<GMimeObject>, depth: Int) -> Bool {
        guard let content = cmail_content(part) else { return false }
        defer { g_byte_array_unref(content) }
        let bytes = UnsafeBufferPointer(start: content.pointee.data, count: Int(content.pointee.len))
        guard let signed = SignedContent.bytes(of: Array(bytes)) else { return false }
        return signed.withUnsafeBytes { buffer in
            let text = buffer.bindMemory(to: CChar.self)
            guard let base = text.baseAddress, let message = cmail_parse(base, text.count) else { return false }
            defer { g_object_unref(UnsafeMutableRawPointer(message)) }
            read(message, depth: depth + 1)
            return true
        }
    }

    private static func text(_ part: UnsafeMutablePointer<GMimeObject>, _ kind: String) -> String? {
        guard let text = cmail_text(part, kind) else { return nil }
        defer { g_byte_array_unref(text) }
        let bytes = UnsafeBufferPointer(start: text.pointee.data, count: min(Int(text.pointee.len), longestText))
        return Charset.likelyText(bytes, charset: cmail_charset(part).map { String(cString: $0) })
    }
}

internal import COffice
internal import VitrineKit

/// Answers LibreOffice when it asks for the password of a document, which it does while it opens one, and waits for.
final class DocumentKey {
    /// The password of the document that is opened now.
    private var password: Password?
    /// Its URL. LibreOffice keeps the question under it, and ends the process when it is answered under another name:
    /// of a document of Word 97 it tells the name alone, without its folder.
    private var url = ""
    /// LibreOffice asks once for Office Open XML. For OpenDocument it asks while it finds out the kind and again when it
    /// loads; and it asks on and on when the password is wrong.
    private static let mostAnswers = 3
    private var answersLeft = 0
    private let kit: UnsafeMutablePointer<LibreOfficeKit>

    /// Has this object asked, for as long as it lives.
    init(_ kit: UnsafeMutablePointer<LibreOfficeKit>) {
        self.kit = kit
        let calls = kit.pointee.pClass.pointee
        // Without this feature LibreOffice does not ask, and takes documents as if the password were wrong.
        calls.setOptionalFeatures?(kit, coffice_asks_for_passwords)
        let answer: @convention(c) (CInt, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void = {
            kind, _, context in
            guard kind == coffice_password_wanted, let context else { return }
            Unmanaged<DocumentKey>.fromOpaque(context).takeUnretainedValue().answer()
        }
        calls.registerCallback?(kit, answer, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { kit.pointee.pClass.pointee.registerCallback?(kit, nil, nil) }

    /// Answers questions about one document, for as long as it is being opened.
    /// - Parameters:
    ///   - url: as it is given to LibreOffice.
    ///   - password: what opens it; `nil`: none is known.
    func held<Document>(
        for url: String, _ password: Password?, _ open: () throws(PluginError) -> Document
    ) throws(PluginError) -> Document {
        (self.url, self.password, answersLeft) = (url, password, Self.mostAnswers)
        defer { (self.url, self.password) = ("", nil) }
        return try open()
    }

    private func answer() {
        answersLeft -= 1
        // Without a password LibreOffice gives the document up.
        Password.withCString(answersLeft < 0 ? nil : password) {
            kit.pointee.pClass.pointee.setDocumentPassword?(kit, url, $0)
        }
    }
}

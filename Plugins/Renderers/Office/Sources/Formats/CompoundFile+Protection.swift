internal import CompoundFiles
internal import VitrineKit

extension CompoundFile {
    /// Whether the document in it needs a password.
    ///
    /// Looked for are: the package of an enciphered Office Open XML file ([MS-OFFCRYPTO] 2.3.4), the
    /// `fEncrypted` bit of a Word file ([MS-DOC] 2.5.2), a `FILEPASS` record of an Excel file ([MS-XLS] 2.4.117),
    /// and the token of an enciphered PowerPoint file ([MS-PPT] 2.3.2).
    func isEncrypted() throws(PluginError) -> Bool {
        if entries["EncryptedPackage"] != nil { return true }
        if let word = try head(of: "WordDocument", count: 32) {
            return word.uint16(at: 0) == 0xA5EC && (word.uint16(at: 10) ?? 0) & 0x0100 != 0
        }
        if let workbook, let book = try head(of: workbook, count: 4096) { return Self.holdsFilePass(book) }
        if let user = try head(of: "Current User", count: 16) { return user.uint32(at: 12) == 0xF3D1_C4DF }
        return false
    }

    /// The name of the stream that holds a workbook, if there is one: `Workbook`, or `Book` up to Excel 95. Some
    /// programs write it in capitals.
    var workbook: String? {
        entries.keys.first { $0.lowercased() == "workbook" } ?? entries.keys.first { $0.lowercased() == "book" }
    }

    /// Looks for the record among those at the start of a workbook; it comes before the sheets are listed.
    private static func holdsFilePass(_ book: [UInt8]) -> Bool {
        let filePass = 0x2F
        let sheet = 0x85
        var offset = 0
        while let type = book.uint16(at: offset), let length = book.uint16(at: offset + 2) {
            if type == filePass { return true }
            if type == sheet { return false }
            offset += 4 + length
        }
        return false
    }
}

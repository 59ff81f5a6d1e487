/// Texts that have the mark of another type only in their words: notes about PDF, a program that writes it, `P3 is a road`.
///
/// Marks are a few letters, and the shared MIME database finds some of them far behind the beginning. A text whose name says that
/// it is one is believed, unless it is a document of a type whose documents may be text throughout.
enum Mention {
    /// Whether a file only mentions the type that it was taken for.
    /// - Parameters:
    ///   - type: that type, by its content.
    ///   - head: the beginning.
    ///   - isAll: whether there is nothing behind it.
    static func isOnly(_ type: String, in head: [UInt8], isAll: Bool) -> Bool {
        guard type != ContentType.unknown, type != ContentType.text, isText(head) else { return false }
        switch type {
        case "application/rtf": return !isRichText(head)
        case "image/svg+xml": return !isDrawing(head, isAll: isAll)
        case "application/x-fictionbook+xml": return XMLHead.element(head) == nil && !XMLHead.mayFollow(head)
        default: return !ContentType.isA(type, ContentType.text) && !isDocument(type, head)
        }
    }

    /// Whether a file is written in letters, whatever else it may be: text in UTF-8 or UTF-16, or in an encoding of 8 bits where most of it is
    /// letters that all of these have in common.
    static func isWritten(_ head: [UInt8]) -> Bool {
        if OfficeText.isUTF16(head) { return head.count >= 4 && head.count % 2 == 0 || head.count > 64 }
        guard isText(head) else { return false }
        // The last letter may be cut.
        return (0..<4).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
            || head.count { $0 < 0x80 } * 2 > head.count
    }

    /// Whether there is nothing that no text has, be it in UTF-8 or in an encoding of 8 bits. Of control characters, texts have
    /// white space, backspaces and escapes.
    private static func isText(_ head: [UInt8]) -> Bool {
        head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x08...0x0D ~= $0 || $0 == 0x1B }
    }

    /// Whether a text is a document of a type that knows documents without other bytes.
    private static func isDocument(_ type: String, _ head: [UInt8]) -> Bool {
        // The shared MIME database does not say of all types of XML that they are.
        if lines.contains(type) || head.starts(with: "<?xml".utf8) { return true }
        return switch type {
        case "application/pdf": isPDF(head)
        // An image that holds something says so: "SIMPLE  =                    T".
        case "application/fits":
            head.dropFirst(fits.count).first { $0 != 0x20 } == UInt8(ascii: "T") && head.starts(with: fits)
        case "model/stl": head.firstRange(of: Array("facet ".utf8)) != nil
        case "image/x-portable-anymap", "image/x-portable-bitmap", "image/x-portable-graymap",
            "image/x-portable-pixmap":
            isNetpbm(head)
        default: false
        }
    }

    /// Types that are known by a whole line or more than a word, with which no sentence begins.
    private static let lines: Set = [
        "application/vnd.autodesk.fbx", "application/vnd.debian.binary-package", "application/x-archive",
        "application/x-blender", "application/x-ply", "application/x-tgif", "image/vnd.dxf", "image/vnd.radiance",
        "image/x-xpixmap", "video/x-yuv4mpeg",
    ]

    private static let fits = Array("SIMPLE  =".utf8)

    /// Whether a file begins with the line of a PDF file's version, and nothing besides.
    private static func isPDF(_ head: [UInt8]) -> Bool {
        guard head.starts(with: "%PDF-".utf8) else { return false }
        let version = head[5...].prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
        let end = head[version.endIndex...].first { $0 != 0x20 && $0 != 0x09 }
        return !version.isEmpty && (end == 0x0A || end == 0x0D)
    }

    /// Whether what follows the mark of a picture of netpbm, behind comments, is a number or a word of P7.
    private static func isNetpbm(_ head: [UInt8]) -> Bool {
        var rest = head.dropFirst(2).drop(while: isBlank)
        while rest.first == UInt8(ascii: "#") {
            rest = rest.drop { $0 != 0x0A && $0 != 0x0D }.drop(while: isBlank)
        }
        if head.starts(with: "P7".utf8) {
            return ["WIDTH ", "HEIGHT ", "DEPTH ", "MAXVAL ", "TUPLTYPE "].contains { rest.starts(with: $0.utf8) }
        }
        let width = rest.prefix(while: isDigit)
        return !width.isEmpty && rest[width.endIndex...].drop(while: isBlank).first.map(isDigit) == true
    }

    /// Whether what follows the mark of rich text is its version, or another word of control.
    private static func isRichText(_ head: [UInt8]) -> Bool {
        head.dropFirst(5).first.map { isDigit($0) || $0 == UInt8(ascii: "\\") } == true
    }

    /// Whether a drawing is all that there is, or all that can be seen of it.
    private static func isDrawing(_ head: [UInt8], isAll: Bool) -> Bool {
        guard let element = XMLHead.element(head) else { return XMLHead.mayFollow(head) }
        guard element.elementsEqual("svg".utf8) else { return false }
        // One that is open where the head ends has drawings in it.
        let opened = head.ranges(of: Array("<svg".utf8)).count
        if !isAll, head.ranges(of: Array("</svg".utf8)).count < opened { return true }
        let start = head.ranges(of: Array("</svg".utf8)).last?.upperBound
        guard let end = head[(start ?? element.endIndex)...].firstIndex(of: UInt8(ascii: ">")),
            start != nil || head[end - 1] == UInt8(ascii: "/")
        else { return !isAll }
        let rest = head[(end + 1)...].drop(while: isBlank)
        return rest.isEmpty || rest.starts(with: "<!--".utf8) || rest.starts(with: "<?".utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}

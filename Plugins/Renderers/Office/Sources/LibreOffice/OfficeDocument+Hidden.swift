internal import Glibc
internal import VitrineKit

extension OfficeDocument {
    /// The first slide that is shown to an audience, counted from 0; the first of all where there is none. LibreOffice tells nothing
    /// of it but in what it writes.
    /// - Parameter folder: a folder of this process alone, where a file is written meanwhile.
    func firstVisibleSlide(in folder: String) -> Int {
        guard family == .presentation, parts > 1 else { return 0 }
        let path = folder + "/slides.fodp"
        defer { unlink(path) }
        guard save(as: "file://" + PercentEncoding.encode(path.utf8), "fodp"), let bytes = Self.contents(path) else {
            return 0
        }
        let slide = HiddenSlides.firstVisible(ofFlat: bytes)
        return slide < parts ? slide : 0
    }

    /// Makes a sheet visible if it is hidden: LibreOffice draws another one in the stead of hidden ones.
    /// - Throws: `unsupported` when it stays hidden, as where a workbook is protected against such changes.
    func reveal(part: Int) throws(PluginError) {
        guard !isVisible(part: part) else { return }
        let name = partName(part)
        perform(
            ".uno:Show", "{\"aTableName\":{\"type\":\"string\",\"value\":\"\(Self.escaped(name))\"}}")
        guard isVisible(part: part) else {
            throw PluginError(
                .unsupported,
                "sheet \(part + 1) of the document, '\(name)', is hidden, and the document is protected against showing it: "
                    + "show it in a spreadsheet program, or ask for another sheet")
        }
    }

    /// A text as it stands between quotation marks in JSON (RFC 8259, 7).
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped += "\\\(scalar)"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

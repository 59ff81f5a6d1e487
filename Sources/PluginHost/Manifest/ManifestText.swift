import Settings
import VitrineKit

/// The rules for texts in a manifest.
enum ManifestText {
    /// Whether it can be a plugin's id: 1 to 64 of a–z 0–9 `.` `_` `-`, the first a letter or digit. Ids become
    /// parts of file names and of settings.
    static func isID(_ text: String) -> Bool { PluginSettings.isPluginID(text) }

    /// Whether it can be a version: 1 to 64 of letters, digits and `.` `+` `-` `~` `_`.
    static func isVersion(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy { isAlphanumeric($0) || ".+-~_".utf8.contains($0) }
    }

    /// Whether it can be the name of an account's setting: 1 to 64 of a–z 0–9 `-`.
    static func isSetting(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Whether it can be shown as a name: 1 to 200 bytes without control characters.
    static func isName(_ text: String) -> Bool {
        1...200 ~= text.utf8.count && DisplayText.of(text) == text
    }

    /// Whether it is a MIME type in lower case without parameters (RFC 6838, section 4.2), at most 127 bytes.
    static func isMIMEType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2 && text.utf8.count <= 127
            && parts.allSatisfy { part in
                part.first.map(isLowerOrDigit) == true
                    && part.allSatisfy { isLowerOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
            }
    }

    /// Whether it is a URI's scheme in lower case (RFC 3986, section 3.1), at most 64 bytes.
    static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return text.utf8.count <= 64 && text.utf8.allSatisfy { isLowerOrDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Why a path of a library is refused, or `nil`. It is relative and stays below the plugin's folder.
    static func objection(toLibrary path: String) -> String? {
        if path.isEmpty || path.utf8.count > 255 { return "1 to 255 bytes are wanted" }
        if path.utf8.contains(0) { return "it holds a NUL byte" }
        if path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "it holds a control character"
        }
        if path.hasPrefix("/") { return "'\(shown(path))' is an absolute path; name a file in the plugin's folder" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("..") { return "'\(shown(path))' leads out of the plugin's folder; name a file in it" }
        if parts.contains("") || parts.contains(".") { return "'\(shown(path))' has a component that is empty or '.'" }
        return nil
    }

    /// The bytes that pairs of hexadecimal digits stand for.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        guard text.utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue.flatMap(UInt8.init(exactly:)) else {
                return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    /// A text of the manifest as it may stand in a sentence: the first 80 characters.
    static func shown(_ text: String) -> String { DisplayText.of(String(text.prefix(80))) }

    /// What is wrong with a text that is no MIME type.
    static func mimeTypeWanted(_ text: String) -> String {
        "'\(shown(text))' is no MIME type such as image/png"
    }

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLowerOrDigit(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
}

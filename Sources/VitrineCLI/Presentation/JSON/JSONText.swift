import FoundationEssentials
import VitrineKit

/// Values as lines of JSON, for programs.
enum JSONText {
    /// Prints one value on a line of its own.
    static func show(_ value: some Encodable) throws(PluginError) { Console.print(try line(value)) }

    /// One value on one line, keys in order, slashes as they are.
    static func line(_ value: some Encodable) throws(PluginError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw PluginError(.io, "a result cannot be written as JSON")
        }
        return escapingHidden(String(decoding: data, as: UTF8.self))
    }

    /// Writes characters that steer a terminal or reorder what it shows as numbers, which mean the same to programs. The
    /// encoder does so with those below U+0020 only; beyond ASCII a JSON text has characters in strings alone.
    private static func escapingHidden(_ line: String) -> String {
        guard line.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }) else { return line }
        var out = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar.value {
            case 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                out.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}

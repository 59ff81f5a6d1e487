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
        return String(decoding: data, as: UTF8.self)
    }
}

import FoundationEssentials
import VitrineKit

/// One JSON object on a line of its own, for programs.
enum JSONText {
    /// Prints a value.
    static func show(_ value: some Encodable) throws(PluginError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw PluginError(.io, "a line cannot be written as JSON")
        }
        Console.print(String(decoding: data, as: UTF8.self))
    }
}

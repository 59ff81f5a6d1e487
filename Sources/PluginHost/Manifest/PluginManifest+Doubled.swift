import JSON
public import VitrineKit

/// A field that an object of a manifest has twice. The grammar of JSON (RFC 8259) leaves open which of them counts.
public struct DoubledManifestKey: Hashable, Sendable {
    /// Where it stands: `limits.seconds`.
    public let path: String
    /// The line of the second one, counted from 1.
    public let line: Int
}

extension PluginManifest {
    /// The fields that are there twice in the manifest in a plugin's folder, in the order of their lines.
    /// - Parameter folder: the plugin's folder, absolute.
    /// - Throws: what reading the file throws; `notFound` when there is none.
    public static func doubledKeys(in folder: String) throws(PluginError) -> [DoubledManifestKey] {
        doubledKeys(json: try content(inFolder: folder))
    }

    /// The same for the content of a manifest, which is JSON.
    static func doubledKeys(json: [UInt8]) -> [DoubledManifestKey] {
        var fields = ManifestFields(json)
        fields.read()
        return fields.doubled
    }
}

/// Goes through JSON once, and looks for nothing but fields.
private struct ManifestFields {
    private let json: [UInt8]
    private var at = 0
    private var line = 1
    private(set) var doubled: [DoubledManifestKey] = []
    private var open: [Container] = []

    /// An object or a list around what is read.
    private struct Container {
        let isObject: Bool
        /// Where it stands.
        let path: String
        var fields: Set<String> = []
        var field: String?
        var elements = 0
    }

    init(_ json: [UInt8]) { self.json = json }

    mutating func read() {
        while at < json.count {
            let byte = json[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(Container(isObject: byte == UInt8(ascii: "{"), path: path))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: ","):
                if let last = open.indices.last {
                    open[last].elements += 1
                    open[last].field = nil
                }
            case UInt8(ascii: "\""): name(text())
            default: break
            }
        }
    }

    /// The place of the value that is read.
    private var path: String {
        guard let last = open.last else { return "" }
        guard last.isObject else { return "\(last.path)[\(last.elements)]" }
        return last.path + (last.path.isEmpty ? "" : ".") + (last.field ?? "")
    }

    /// Takes a text, which names a field where its object has none yet.
    private mutating func name(_ literal: ArraySlice<UInt8>) {
        guard let last = open.indices.last, open[last].isObject, open[last].field == nil,
            let field = JSONValue(Array(literal))?.text
        else { return }
        open[last].field = DisplayText.of(field)
        if !open[last].fields.insert(field).inserted { doubled.append(DoubledManifestKey(path: path, line: line)) }
    }

    /// The text that began, with its quotes.
    private mutating func text() -> ArraySlice<UInt8> {
        let start = at - 1
        while at < json.count, json[at] != UInt8(ascii: "\"") { at += json[at] == UInt8(ascii: "\\") ? 2 : 1 }
        at = min(at + 1, json.count)
        return json[start..<at]
    }
}

import FoundationEssentials
public import VitrineKit

/// Something in a manifest that the decoder passes over and the grammar of JSON (RFC 8259) does not have, or leaves open.
public enum ManifestSlip: Hashable, Sendable {
    /// A comma behind which nothing follows, in this line, counted from 1.
    case idleComma(line: Int)
    /// A field that its object has twice, the second time in this line.
    case doubledField(path: String, line: Int)
}

extension PluginManifest {
    /// What is amiss with the form of the manifest in a plugin's folder, in the order of its lines: other programs refuse it,
    /// or read something else than Vitrine.
    /// - Parameter folder: the plugin's folder, absolute.
    /// - Throws: what reading the file throws; `notFound` when there is none.
    public static func slips(in folder: String) throws(PluginError) -> [ManifestSlip] {
        guard let json = try content(of: folder + "/plugin.json") else {
            throw PluginError(.notFound, "there is no '\(DisplayText.of(folder))/plugin.json'")
        }
        return slips(json: json)
    }

    /// The same for the content of a manifest, which the decoder has read.
    static func slips(json: [UInt8]) -> [ManifestSlip] {
        var form = ManifestForm(json)
        form.read()
        return form.slips
    }
}

/// Goes through JSON once. What the decoder would refuse is not looked for.
private struct ManifestForm {
    private let json: [UInt8]
    private var at = 0
    private var line = 1
    private(set) var slips: [ManifestSlip] = []
    private var open: [Container] = []
    private var hasComma = false

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
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(Container(isObject: byte == UInt8(ascii: "{"), path: path))
                hasComma = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if hasComma { slips.append(.idleComma(line: line)) }
                _ = open.popLast()
                hasComma = false
            case UInt8(ascii: ","):
                if let last = open.indices.last {
                    open[last].elements += 1
                    open[last].field = nil
                }
                hasComma = true
            case UInt8(ascii: "\""):
                name(text())
                hasComma = false
            default: hasComma = false
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
            let field = try? JSONDecoder().decode(String.self, from: Data(literal))
        else { return }
        open[last].field = DisplayText.of(field)
        if !open[last].fields.insert(field).inserted { slips.append(.doubledField(path: path, line: line)) }
    }

    /// The text that began, with its quotes.
    private mutating func text() -> ArraySlice<UInt8> {
        let start = at - 1
        while at < json.count, json[at] != UInt8(ascii: "\"") { at += json[at] == UInt8(ascii: "\\") ? 2 : 1 }
        at = min(at + 1, json.count)
        return json[start..<at]
    }
}

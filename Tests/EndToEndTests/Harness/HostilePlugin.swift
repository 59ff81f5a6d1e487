import Foundation
import TestSupport
import VitrineTesting

/// The plugin for tests that misbehaves on command, with a deadline of its own.
struct HostilePlugin {
    private let scratch: ScratchFolder

    /// The folder to search for it, before that of the checkout.
    var folder: String { scratch.path }

    /// - Parameter seconds: the deadline that its manifest names.
    init(seconds: Int) throws {
        scratch = try ScratchFolder("plugins")
        let manifest = Products.checkout.appending(path: "Plugins/Testing/Hostile/plugin.json")
        guard
            var content = try JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any],
            var limits = content["limits"] as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        limits["seconds"] = seconds
        content["limits"] = limits
        let plugin = URL(filePath: scratch.path).appending(path: "Hostile")
        try FileManager.default.createDirectory(at: plugin, withIntermediateDirectories: false)
        try JSONSerialization.data(withJSONObject: content).write(to: plugin.appending(path: "plugin.json"))
    }
}

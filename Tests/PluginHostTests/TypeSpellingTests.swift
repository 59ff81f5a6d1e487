import Foundation
import PluginHost
import TestSupport
import Testing

/// Types are told to desktops as the shared MIME database spells them, letter by letter: GIO takes
/// `application/vnd.ms-word.document.macroenabled.12` for another type.
@Suite struct TypeSpellingTests {
    @Test func manifestsSpellTypesAsTheDatabaseDoes() throws {
        let names = try String(contentsOfFile: "/usr/share/mime/types", encoding: .utf8).split(
            whereSeparator: \.isNewline)
        let spelled = Dictionary(names.map { ($0.lowercased(), String($0)) }) { first, _ in first }
        let folder = Products.checkout.appending(path: "Plugins/Renderers")
        var compared = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: "\(name)/plugin.json")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            let manifest = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path)
            #expect(manifest.spelledTypes.map { $0.lowercased() } == manifest.types)
            for type in manifest.spelledTypes {
                guard let known = spelled[type.lowercased()] else { continue }
                #expect(type == known, "\(name)")
                compared += 1
            }
        }
        #expect(compared > 300)
    }
}

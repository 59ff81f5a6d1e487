import Foundation
import PluginHost
import TestSupport
import Testing

/// Maps in databases are told from other databases by the number that SQLite keeps for programs.
@Suite struct DatabaseTypeTests {
    private func type(_ number: String, _ name: String) throws -> String {
        let file = Products.checkout.appending(path: "Plugins/Renderers/Database/plugin.json")
        let magic = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path).magic
        var head = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        head.replaceSubrange(68..<68 + number.utf8.count, with: number.utf8)
        return TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: 4096).mimeType
    }

    @Test(
        "Each has its type, whatever the name",
        arguments: [
            ("GPKG", "application/geopackage+sqlite3"), ("GP10", "application/geopackage+sqlite3"),
            ("GP11", "application/geopackage+sqlite3"), ("MPBX", "application/vnd.mbtiles"),
            ("", "application/vnd.sqlite3"), ("ABCD", "application/vnd.sqlite3"),
        ])
    func numbers(number: String, expected: String) throws {
        for name in ["", "a.db", "a.sqlite3"] { #expect(try type(number, name) == expected, "\(name)") }
    }
}

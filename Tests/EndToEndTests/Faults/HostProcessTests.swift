import Foundation
import TestSupport
import Testing

/// The program itself holds none of the libraries that read untrusted files.
@Suite struct HostProcessTests {
    private static let forbidden = [
        "poppler", "libav", "libswscale", "libswresample", "Magick", "libheif", "libde265", "libx265", "libwebp",
        "libtiff", "openjp",
        "libjpeg",
        "rsvg", "cairo", "pixman", "sofficeapp", "libreoffice", "Renderer.so",
    ]

    @Test func itMapsNoRenderersLibrary() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        for name in ["pdf/plain.pdf", "image/plain.heic", "video/vp9.webm", "office/vitrine.odt"] {
            try home.copy(name, as: "first/\(name)")
        }
        let held = try HeldFiles(["then/held"], in: home)
        let running = try home.start("prebuild", "--progress=json", home.file("first"), home.file("then"))
        try await Condition.met("all files but the one that is held are dealt with") {
            try running.progress.filter { $0.event == "item" && $0.outcome == "made" }.count == 4
        }
        try await held.areOpen(1, in: running)
        let mapped = try ProcessTable.mappedFiles(of: running.pid)
        for name in ["/vitrine", "/libLocalBackend.so", "/libVitrineKit.so", "/libc.so.6"] {
            #expect(mapped.contains { $0.hasSuffix(name) }, "the list of what is mapped lacks \(name)")
        }
        for name in Self.forbidden {
            #expect(mapped.filter { $0.split(separator: "/").last?.contains(name) == true } == [], "\(name)")
        }
        try held.letGo()
        let run = try await running.finish()
        #expect(run.exitCode == 0)
        #expect(home.leftovers(of: run.pid) == [])
    }
}

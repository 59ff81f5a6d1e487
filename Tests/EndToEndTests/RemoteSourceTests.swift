import Foundation
import TestServers
import TestSupport
import Testing
import VitrineTesting

/// Sources on a real server, from the command line to the picture; what was asked of it is counted in its own log.
@Suite(
    .timeLimit(.minutes(4)), .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct RemoteSourceTests {
    let server: NginxServer
    let home: UserHome

    init() throws {
        server = try NginxServer()
        home = try UserHome()
    }

    private var source: String { "dav://127.0.0.1:\(server.port)/" }

    private func serve(_ fixture: String, as name: String) throws {
        try FileManager.default.copyItem(
            atPath: Products.fixtures.appending(path: fixture).path, toPath: "\(server.root)/\(name)")
    }

    /// What the server says it was asked to read of a file.
    private func reads(of name: String) throws -> (requests: Int, bytes: Int) {
        let log = try String(contentsOfFile: server.process.folder.path + "/access.log", encoding: .utf8)
        let answers = log.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /"(GET|HEAD) \/(\S+) HTTP\/[0-9.]+" [0-9]+ ([0-9]+)/)
        }.filter { $0.2 == name }
        return (answers.count, answers.reduce(0) { $0 + (Int($1.3) ?? 0) })
    }

    @Test func `a source on a server is like any other, and costs a request for each file`() async throws {
        try serve("pdf/plain.pdf", as: "a.pdf")
        try serve("image/plain.jpg", as: "b.jpg")
        try serve("video/h264.mp4", as: "c.mp4")
        let first = try await home.run("prebuild", "--progress=json", source)
        let summary = try first.summary()
        #expect(summary.made == 3 && summary.failed == 0, "\(first.errors)")
        for name in ["a.pdf", "b.jpg", "c.mp4"] { #expect(try reads(of: name).requests == 1, "\(name)") }
        let second = try await home.run("prebuild", "--progress=json", source).summary()
        #expect(second.made == 0 && second.valid == 3)
        for name in ["a.pdf", "b.jpg", "c.mp4"] { #expect(try reads(of: name).requests == 1, "\(name)") }
        // Another size is drawn from what was kept of it.
        let other = try await home.run("get", source + "b.jpg", "--size", "normal")
        #expect(other.exitCode == 0, "\(other.errors)")
        #expect(try reads(of: "b.jpg").requests == 1)
        let gone = try await home.run("get", source + "missing.jpg")
        #expect(gone.exitCode == 1)
    }

    @Test func `a folder on a server has a picture, and what is encrypted there is opened`() async throws {
        try FileManager.default.createDirectory(
            atPath: server.root + "/album", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        for name in ["plain.jpg", "rgb-8.png", "plain.bmp"] { try serve("image/\(name)", as: "album/\(name)") }
        let folder = try await home.run("get", source + "album", "-o", home.path + "/album.png")
        #expect(folder.exitCode == 0, "\(folder.errors)")
        let picture = try PNGFile(home.path + "/album.png").picture()
        #expect(picture.width == 256 && picture.height == 256 && picture.pixel(x: 127, y: 128).alpha == 0)
        try serve("pdf/user-password.pdf", as: "locked.pdf")
        let locked = try await home.run(
            "get", source + "locked.pdf", "--password-command", "grep -q '^\(source)locked.pdf$' && echo vitrine", "-o",
            home.path + "/locked.png")
        #expect(locked.exitCode == 0, "\(locked.errors)")
        #expect(try PNGFile(home.path + "/locked.png").longerSide == 256)
    }

    @Test func `of a film of two gigabytes little is read, wherever its index is`() async throws {
        let film = try UserHome.fixture("video/dark-start.mp4")
        // The index of this one is its last box, and begins after 8,945 bytes.
        let index = 8945
        let hole: UInt64 = 2 << 30
        var free = withUnsafeBytes(of: UInt32(1).bigEndian) { Array($0) } + Array("free".utf8)
        free += withUnsafeBytes(of: (hole + 16).bigEndian) { Array($0) }
        try sparse("end.mp4", Array(film[..<index]) + free, hole, Array(film[index...]))
        let faststart = home.file("front.mp4")
        let made = try await home.run(program: [
            "/usr/bin/ffmpeg", "-v", "error", "-i", Products.fixtures.appending(path: "video/dark-start.mp4").path,
            "-c",
            "copy", "-movflags", "+faststart", faststart,
        ])
        #expect(made.exitCode == 0, "\(made.errors)")
        try sparse("front.mp4", [UInt8](try Data(contentsOf: URL(filePath: faststart))) + free, hole, [])
        for name in ["end.mp4", "front.mp4"] { try await getsByRange(name) }
    }

    @Test func `of a scanned document of half a gigabyte one page is read`() async throws {
        let page = try UserHome.fixture("image/plain.jpg")
        let hole: UInt64 = 500_000_000
        var text = "%PDF-1.5\n"
        var offsets: [Int] = []
        func object(_ body: String) {
            offsets.append(text.utf8.count)
            text += "\(offsets.count) 0 obj\n\(body)\nendobj\n"
        }
        object("<</Type/Catalog/Pages 2 0 R>>")
        object("<</Type/Pages/Count 1/Kids[3 0 R]>>")
        object(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>")
        object("<</Length 30>>\nstream\nq 595 0 0 842 0 0 cm /I Do Q   \nendstream")
        offsets.append(text.utf8.count)
        text += "5 0 obj\n<</Type/XObject/Subtype/Image/Width 160/Height 120/ColorSpace/DeviceRGB/BitsPerComponent 8"
        text += "/Filter/DCTDecode/Length \(page.count)>>\nstream\n"
        var head = Array(text.utf8) + page + Array("\nendstream\nendobj\n".utf8)
        offsets.append(head.count)
        head += Array("6 0 obj\n<</Length \(hole)>>\nstream\n".utf8)
        var tail = "\nendstream\nendobj\n"
        let table = head.count + Int(hole) + tail.utf8.count
        tail += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            tail += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        tail += "trailer<</Size \(offsets.count + 1)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
        try sparse("scan.pdf", head, hole, Array(tail.utf8))
        try await getsByRange("scan.pdf")
    }

    /// Makes a preview, for less than three megabytes and twenty requests.
    private func getsByRange(_ name: String) async throws {
        let run = try await home.run("get", source + name, "-o", home.file("picture.png"))
        #expect(run.exitCode == 0, "\(name): \(run.errors)")
        let cost = try reads(of: name)
        #expect(cost.requests < 20 && cost.bytes < 3_000_000, "\(name): \(cost)")
    }

    /// Writes a file with a hole in it.
    private func sparse(_ name: String, _ head: [UInt8], _ hole: UInt64, _ tail: [UInt8]) throws {
        let path = "\(server.root)/\(name)"
        try Data(head).write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: UInt64(head.count) + hole)
        try file.seekToEnd()
        try file.write(contentsOf: Data(tail))
        try file.close()
    }
}

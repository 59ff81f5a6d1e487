import Foundation
import RendererFixtures
import TestServers
import Testing
import VitrineTesting

/// Archives as sources, from the command line to the picture.
@Suite(.timeLimit(.minutes(10))) struct ArchiveSourceTests {
    let home: UserHome

    init() throws { home = try UserHome() }

    /// Makes an archive of files below `items`, with libarchive's program; its kind is told by its name.
    private func pack(_ name: String) async throws -> String {
        let packed = try await home.run(program: [
            "/usr/bin/bsdtar", "-a", "-cf", home.file(name), "-C", home.file("items"), ".",
        ])
        #expect(packed.exitCode == 0, "\(packed.errors)")
        return home.file(name)
    }

    @Test func `a member is got, explained, registered, indexed and found`() async throws {
        try home.copy("image/plain.jpg", as: "items/holiday/sea side.jpg")
        try home.copy("pdf/three-pages.pdf", as: "items/report.pdf")
        let zip = try await pack("photos.zip")
        let picture = home.file("1.png")
        let got = try await home.run("get", "archive:\(zip)!/holiday/sea side.jpg", "-o", picture)
        #expect(got.exitCode == 0, "\(got.errors)")
        #expect(try PNGFile(picture).width == 160)
        let page = try await home.run("get", "archive:file://\(zip)!/report.pdf", "--page", "3", "--size", "100")
        #expect(page.exitCode == 0 && page.text.contains("/vitrine/previews/"), "\(page.errors)")
        let explained = try await home.run("explain", "archive:\(zip)!/holiday/sea side.jpg")
        #expect(explained.text.contains("archive:file://\(zip)!/holiday/sea%20side.jpg"), "\(explained.text)")
        #expect(explained.text.contains("archive-members 1.0.0"), "\(explained.text)")
        #expect(try await home.run("source", "add", "archive:\(zip)").exitCode == 0)
        #expect(try await home.run("index", "photos.zip").exitCode == 0)
        let found = try await home.run("find", "side")
        #expect(found.text.contains("sea side.jpg") || found.text.contains("sea%20side.jpg"), "\(found.text)")
        let made = try await home.run("prebuild", "--progress=json", "photos.zip").summary()
        #expect(made.made + made.valid == 2 && made.failed == 0)
        let again = try await home.run("prebuild", "--progress=json", "photos.zip").summary()
        #expect(again.made == 0 && again.valid == 2)
    }

    @Test func `previews of archives go with the folder that held them, but not those of a source by itself`()
        async throws
    {
        try home.copy("image/plain.jpg", as: "items/1.jpg")
        try FileManager.default.createDirectory(atPath: home.file("disk"), withIntermediateDirectories: false)
        let first = try await pack("disk/first.zip")
        try home.copy("image/rgb-8.png", as: "items/2.png")
        let second = try await pack("disk/second.zip")
        #expect(try await home.run("source", "add", home.file("disk")).exitCode == 0)
        #expect(try await home.run("source", "add", "archive:\(second)").exitCode == 0)
        for zip in [first, second] {
            let run = try await home.run("prebuild", "archive:\(zip)")
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        #expect(home.previews.count == 3)
        let removed = try await home.run("source", "remove", "disk")
        #expect(removed.text.contains("1 preview was deleted"), "\(removed.text)\(removed.errors)")
        let left = try await home.run("prebuild", "--progress=json", "archive:\(second)").summary()
        #expect(home.previews.count == 2 && left.valid == 2)
    }

    @Test func `previews of archives stay that lie in another source`() async throws {
        try home.copy("image/plain.jpg", as: "items/1.jpg")
        try FileManager.default.createDirectory(atPath: home.file("disk/own"), withIntermediateDirectories: true)
        let (outer, inner) = (try await pack("disk/outer.zip"), try await pack("disk/own/inner.zip"))
        for folder in ["disk", "disk/own"] {
            #expect(try await home.run("source", "add", home.file(folder)).exitCode == 0)
        }
        for zip in [outer, inner] { #expect(try await home.run("prebuild", "archive:\(zip)").exitCode == 0) }
        #expect(home.previews.count == 2)
        let removed = try await home.run("source", "remove", home.file("disk"))
        #expect(removed.text.contains("1 preview was deleted"), "\(removed.text)\(removed.errors)")
        let left = try await home.run("prebuild", "--progress=json", "archive:\(inner)").summary()
        #expect(left.made == 0 && left.valid == 1)
    }

    @Test func `an archive is listed as a whole, and copied as one and member by member`() async throws {
        try home.copy("image/plain.jpg", as: "items/holiday/sea.jpg")
        try home.copy("image/rgb-8.png", as: "items/1.png")
        let zip = try await pack("album.zip")
        let whole = try await home.run("explain", "archive:\(zip)")
        #expect(whole.exitCode == 0, "\(whole.errors)")
        #expect(whole.text.contains("1 file, 1 folder") && whole.text.contains(" members, "), "\(whole.text)")
        let target = home.file("copies")
        let member = try await home.run("copy", "archive:\(zip)!/holiday/sea.jpg", target)
        #expect(member.exitCode == 0, "\(member.errors)")
        // A file of the name is there already.
        for source in [zip, "archive:\(zip)"] {
            let run = try await home.run("copy", source, target)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
        #expect(names == ["album(1).zip", "album.zip", "sea.jpg"])
        let inner = try FileManager.default.contentsOfDirectory(atPath: target + "/album(1).zip").sorted()
        #expect(inner == ["1.png", "holiday"])
    }

    @Test func `a member is copied into a collection`() async throws {
        try home.copy("image/plain.jpg", as: "items/holiday/sea.jpg")
        for name in ["photos.zip", "photos.tar.gz"] {
            let archive = try await pack(name)
            #expect(try await home.run("collection", "create", name).exitCode == 0)
            let member = "archive:\(archive)!/holiday/sea.jpg"
            let added = try await home.run("collection", "add", name, member)
            #expect(added.exitCode == 0 && added.text.contains("is copied to"), "\(added.errors)")
            let copy = home.path + "/data/vitrine/collections/\(name)/sea.jpg"
            #expect(try [UInt8](Data(contentsOf: URL(filePath: copy))) == UserHome.fixture("image/plain.jpg"))
            #expect(try await home.run("collection", "add", name, member).errors.contains("already"))
            let wrong = try await home.run(
                "collection", "add", name, "archive:\(archive)!/none", "archive:\(archive)!/holiday",
                "archive:\(archive)")
            #expect(wrong.exitCode == 1 && wrong.errors.split(separator: "\n").count == 3, "\(wrong.errors)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: (copy as NSString).deletingLastPathComponent) == [
                    "sea.jpg"
                ])
        }
    }

    @Test func `members with dangerous names are left out, with the reason, and nothing of them is written`()
        async throws
    {
        let script = """
            import sys, tarfile, io
            with tarfile.open(sys.argv[1], 'w:gz') as archive:
                for name in ['../climbs.txt', '/tmp/absolute.txt', 'a/../../climbs.txt', 'good.txt']:
                    info = tarfile.TarInfo(name)
                    info.size = 5
                    archive.addfile(info, io.BytesIO(b'hello'))
                link = tarfile.TarInfo('link.txt')
                link.type, link.linkname = tarfile.SYMTYPE, '/etc/passwd'
                archive.addfile(link)
            """
        let path = home.file("hostile.tar.gz")
        let made = try await home.run(program: ["/usr/bin/env", "python3", "-c", script, path])
        #expect(made.exitCode == 0, "\(made.errors)")
        let before = Set(FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? [])
        let run = try await home.run("prebuild", "--progress=json", "archive:\(path)")
        let summary = try run.summary()
        #expect(summary.made == 1 && summary.failed == 0 && summary.skipped == 4, "\(run.text)")
        #expect(run.text.contains("the member '../climbs.txt' is left out: its name climbs out of the archive"))
        #expect(run.text.contains("the member '/tmp/absolute.txt' is left out"))
        let after = Set(FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? [])
        #expect(!after.subtracting(before).contains { $0.contains("climbs") || $0.contains("absolute") })
        for member in ["../climbs.txt", "link.txt", "missing.txt"] {
            #expect(try await home.run("get", "archive:\(path)!/\(member)").exitCode != 0)
        }
        let nested = try await home.run("get", "archive:\(path)!/good.txt!/inner.txt")
        #expect(nested.exitCode == 1 && nested.errors.contains("an archive in an archive"), "\(nested.errors)")
    }

    @Test func `a locked member says that it needs a password`() async throws {
        try home.copy("comic/locked.cbz", as: "locked.zip")
        let run = try await home.run("prebuild", "--progress=json", "archive:\(home.file("locked.zip"))")
        #expect(run.text.contains("\"locked\""), "\(run.text)")
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func `of a zip of a gigabyte on a server one picture costs few bytes and requests`() async throws {
        let server = try NginxServer()
        let picture = try UserHome.fixture("image/plain.jpg")
        try sparseZip("\(server.root)/photos.zip", hole: 1_000_000_000, ("holiday/1.jpg", picture))
        let source = "archive:dav://127.0.0.1:\(server.port)/photos.zip!"
        let run = try await home.run("get", source + "/holiday/1.jpg", "-o", home.file("1.png"))
        #expect(run.exitCode == 0, "\(run.errors)")
        let log = try String(contentsOfFile: server.process.folder.path + "/access.log", encoding: .utf8)
        let answers = log.split(separator: "\n").compactMap { $0.firstMatch(of: /" 20[0-9] ([0-9]+)/) }
        let bytes = answers.reduce(0) { $0 + (Int($1.1) ?? 0) }
        #expect(answers.count < 20 && bytes < 3_000_000, "\(answers.count) requests, \(bytes) bytes: \(log)")
        let explained = try await home.run("explain", source + "/holiday/1.jpg")
        #expect(explained.text.contains("were kept from before"), "\(explained.text)")
        let page = try await home.run("prebuild", "--progress=json", source + "/holiday")
        #expect(try page.summary().valid == 1, "\(page.text) \(page.errors)")
    }

    /// Writes a zip file (PKWARE's APPNOTE) of a member that is a hole, and one that is not; both are stored.
    private func sparseZip(_ path: String, hole: Int, _ file: (name: String, bytes: [UInt8])) throws {
        /// Of the hole nobody asks for the checksum.
        func numbers(_ size: Int, _ name: String) -> [UInt8] {
            let checksum = name == file.name ? crc32(file.bytes) : 0
            return little(0, 4) + little(0x5021_0000, 4) + little(checksum, 4) + little(size, 4) + little(size, 4)
                + little(name.utf8.count, 2)
        }
        func local(_ size: Int, _ name: String) -> [UInt8] {
            little(0x0403_4B50, 4) + little(20, 2) + numbers(size, name) + little(0, 2) + Array(name.utf8)
        }
        func listed(_ size: Int, _ name: String, at offset: Int) -> [UInt8] {
            little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + numbers(size, name) + little(0, 12)
                + little(offset, 4) + Array(name.utf8)
        }
        let head = local(hole, "film.bin")
        let start = head.count + hole
        let body = local(file.bytes.count, file.name) + file.bytes
        let list = listed(hole, "film.bin", at: 0) + listed(file.bytes.count, file.name, at: start)
        let end =
            little(0x0605_4B50, 4) + little(0, 4) + little(2, 2) + little(2, 2) + little(list.count, 4)
            + little(start + body.count, 4) + little(0, 2)
        try Data(head).write(to: URL(filePath: path))
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: UInt64(start))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(body + list + end))
        try handle.close()
    }

    /// The checksum of zip archives (ISO 3309), bit by bit.
    private func crc32(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return Int(~sum)
    }
}

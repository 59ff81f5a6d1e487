import Foundation
import TestServers
import Testing
import VitrineTesting

/// `vitrine copy` to and from a real server.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct RemoteCopyTests {
    let server: NginxServer
    let home: UserHome

    init() throws {
        server = try NginxServer()
        home = try UserHome()
    }

    private var destination: String { "dav://127.0.0.1:\(server.port)/backup/today" }

    @Test func `a folder goes to a server and comes back, each file once`() async throws {
        let names = ["from/a.txt", "from/inner/ümläut 日本.txt", "from/inner/100%.bin", "from/empty.txt"]
        for (number, name) in names.enumerated() {
            try home.write(name, number == 3 ? [] : [UInt8](repeating: UInt8(number), count: 1_500_000 * number + 7))
        }
        let sent = try await home.run("copy", home.file("from"), destination)
        #expect(sent.exitCode == 0 && sent.text.hasPrefix("4 files copied, "), "\(sent.text)\(sent.errors)")
        for name in names {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: home.file(name), andPath: "\(server.root)/backup/today/\(name)"))
        }
        let again = try await home.run("copy", home.file("from"), destination)
        #expect(
            again.exitCode == 0 && again.text.hasPrefix("0 files copied, 0 bytes; 4 there already; "), "\(again.text)")
        let back = try await home.run("copy", destination + "/from", home.file("back"))
        #expect(back.exitCode == 0, "\(back.errors)")
        for name in names {
            #expect(FileManager.default.contentsEqual(atPath: home.file(name), andPath: home.file("back/\(name)")))
        }
    }

    @Test func `another file of the name gets a number on the server`() async throws {
        try home.write("file.doc", Array("one".utf8))
        try home.write("other/file.doc", Array("two".utf8))
        let run = try await home.run("copy", home.file("file.doc"), home.file("other/file.doc"), destination)
        #expect(run.exitCode == 0, "\(run.errors)")
        let folder = server.root + "/backup/today"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["file(1).doc", "file.doc"])
    }

    @Test func `a server that goes away costs what is not copied, and nothing half-written is seen`() async throws {
        for number in 0..<20 { try home.write("from/\(number)", [UInt8](repeating: 1, count: 100_000)) }
        let proxy = try FaultProxy(before: server.port) { $0.number > 60 ? .reset : nil }
        let place = "dav://127.0.0.1:\(proxy.port)/"
        let run = try await home.run("copy", home.file("from"), place)
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("not copied: "), "\(run.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: server.root + "/from")
        for name in names where !name.hasPrefix(".vitrine-part-") {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: home.file("from/\(name)"), andPath: "\(server.root)/from/\(name)"))
        }
        proxy.set { _ in nil }
        let rest = try await home.run("copy", home.file("from"), place)
        #expect(rest.exitCode == 0, "\(rest.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: server.root + "/from").filter { !$0.hasPrefix(".") }
                .count == 20)
    }
}

import Glibc
import Synchronization
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import MailBackend

@Suite struct LocalMailTests {
    private func maildir(_ messages: [[UInt8]]) throws -> ScratchFolder {
        let folder = try ScratchFolder("maildir")
        for name in ["cur", "new", "tmp"] { try TestFile.makeFolder("\(folder.path)/\(name)") }
        for (number, message) in messages.enumerated() {
            let part = number % 2 == 0 ? "new" : "cur"
            let name = "17000000\(number).M1P\(number).host" + (number % 2 == 0 ? "" : ":2,S")
            try TestFile.write(Array("\(folder.path)/\(part)/\(name)".utf8), message)
        }
        return folder
    }

    private func mbox(_ messages: [[UInt8]]) throws -> ScratchFolder {
        let folder = try ScratchFolder("mbox")
        var bytes: [UInt8] = []
        for message in messages {
            bytes += Array("From alice@example.org Wed Jan 31 12:00:00 2024\n".utf8) + message + Array("\n\n".utf8)
        }
        try TestFile.write(Array("\(folder.path)/inbox".utf8), bytes)
        return folder
    }

    private func connect(_ uri: String) async throws(PluginError) -> MailBackend {
        try await MailBackend(source: SourceURI(uri), settings: BackendSettings())
    }

    @Test func conformsOnMaildir() async throws {
        let folder = try ScratchFolder("maildir")
        let suite = BackendConformance(names: .text, many: 400, leavesOut: AttachmentTree.leavesOut) { sample in
            for name in ["cur", "new", "tmp"] { try TestFile.makeFolder("\(folder.path)/\(name)") }
            for (number, message) in AttachmentTree.messages(sample).enumerated() {
                try TestFile.write(Array("\(folder.path)/cur/\(number).host:2,".utf8), message)
            }
            return try await AttachmentTree(connect("maildir://\(folder.path)"), sample)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func conformsOnMbox() async throws {
        let folder = try ScratchFolder("mbox")
        let suite = BackendConformance(names: .text, many: 400, leavesOut: AttachmentTree.leavesOut) { sample in
            let bytes = AttachmentTree.messages(sample, end: "\r\n").flatMap {
                Array("From alice@example.org Wed Jan 31 12:00:00 2024\r\n".utf8) + $0 + Array("\r\n\r\n".utf8)
            }
            try TestFile.write(Array("\(folder.path)/inbox".utf8), bytes)
            return try await AttachmentTree(connect("mbox://\(folder.path)/inbox"), sample)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func messagesAreFilesAndTheirAttachmentsFolders() async throws {
        let forwarded = MailSample.message(
            subject: "within", files: [.init(Array("deep.txt".utf8), Array("deep".utf8))])
        let messages = [
            MailSample.message(
                subject: "=?utf-8?q?=C3=9Cber/blick?=",
                files: [
                    .init(Array("a.pdf".utf8), Array("%PDF one".utf8)),
                    .init(Array("a.pdf".utf8), Array("%PDF two".utf8)),
                    .init(Array("../../x".utf8), [1, 2, 3]),
                ]),
            MailSample.message(subject: "only words"),
            Array(
                ("Subject: fwd\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: message/rfc822\n\n"
                    + String(decoding: forwarded, as: UTF8.self) + "\n--q--\n").utf8),
        ]
        let folder = try maildir(messages)
        let backend = try await connect("maildir://\(folder.path)")
        let names = try await Tree.of(backend).map { $0.replacing(/\([a-z2-7]{13}\)/, with: "(*)") }
        #expect(
            names == [
                "2024-01-31 only words (*).eml", "2024-01-31 Über_blick (*)", "2024-01-31 Über_blick (*).eml",
                "2024-01-31 Über_blick (*)/_._.._x", "2024-01-31 Über_blick (*)/a (2).pdf",
                "2024-01-31 Über_blick (*)/a.pdf",
            ] + names.filter { $0.contains("fwd") }, "\(names)")
        let inner = names.filter { $0.contains("fwd") }.compactMap { $0.split(separator: "/").dropFirst().first }
        #expect(inner == ["deep.txt", "message.eml"], "\(names)")
        for path in try await Tree.of(backend) where path.hasSuffix("a (2).pdf") {
            let source = try await backend.open(try ItemPath(path))
            #expect(source.entry.size == 8 && source.entry.contentType == "application/octet-stream")
            #expect(try await source.read(at: 5, count: 99) == Array("two".utf8))
        }
    }

    @Test func aMessageThatIsMarkedAsReadMeanwhileStays() async throws {
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let folder = try maildir([MailSample.message(subject: "big", files: [.init(Array("b.bin".utf8), content)])])
        let backend = try await connect("maildir://\(folder.path)")
        let path = try ItemPath(try #require(await Tree.of(backend).first { $0.hasSuffix("b.bin") }))
        let source = try await backend.open(path)
        let name = "170000000.M1P0.host"
        #expect(rename("\(folder.path)/new/\(name)", "\(folder.path)/cur/\(name):2,S") == 0)
        #expect(try await source.read(at: 150_000, count: 10) == Array(content[150_000..<150_010]))
        #expect(try await !source.current().differs(from: source.entry))
        #expect(try await backend.open(path).read(at: 0, count: 3) == Array(content[0..<3]))
        #expect(unlink("\(folder.path)/cur/\(name):2,S") == 0)
        await #expect { _ = try await backend.stat(path) } throws: { ($0 as? PluginError)?.code == .notFound }
        #expect(try await source.read(at: 0, count: 3) == Array(content[0..<3]))
    }

    @Test func mailboxesOfMaildirsAreFolders() async throws {
        let folder = try maildir([])
        for name in [".Work.2024", ".&AOQ-rger", "Plain"] {
            try TestFile.makeFolder("\(folder.path)/\(name)")
            try TestFile.makeFolder("\(folder.path)/\(name)/cur")
        }
        try TestFile.write(
            Array("\(folder.path)/.Work.2024/cur/1".utf8), MailSample.message(subject: "one"))
        let names = try await Tree.of(connect("maildir://\(folder.path)"))
        #expect(names.count == 5 && Set(names.prefix(4)).isSuperset(of: ["Plain", "Work", "Work/2024"]), "\(names)")
        #expect(names.contains("ärger") && names.contains { $0.hasPrefix("Work/2024/2024-01-31 one (") })
        let empty = try ScratchFolder("none")
        await #expect { _ = try await connect("maildir://\(empty.path)") } throws: {
            ($0 as? PluginError)?.code == .notFound
        }
    }

    @Test func linesThatBeginWithFromAreTakenForWhatTheyAre() async throws {
        let text =
            "one\n\n>From here on.\n>>From there.\nFrom the middle of a paragraph 12:00:00 2024\n\nFrom nowhere\n"
        let folder = try mbox([
            MailSample.message(subject: "first", text: text), MailSample.message(subject: "second"),
        ])
        let backend = try await connect("mbox://\(folder.path)/inbox")
        let names = try await Tree.of(backend)
        #expect(names.count == 2, "\(names)")
        let source = try await backend.open(try ItemPath(names[0]))
        let size = Int(try #require(source.entry.size))
        let whole = String(decoding: try await source.read(at: 0, count: size), as: UTF8.self)
        #expect(
            whole.contains("\n\nFrom here on.\n>From there.\nFrom the middle") && whole.hasSuffix("From nowhere\n\n"))
        for offset in [0, 1, size / 2, size - 40] {
            let part = try await source.read(at: Int64(offset), count: 30)
            #expect(String(decoding: part, as: UTF8.self) == String(whole.dropFirst(offset).prefix(30)), "\(offset)")
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func messagesAreFoundWhereverAPieceOfTheFileEnds(end: String) throws {
        let folder = try ScratchFolder("mbox")
        let lines = ["From alice@example.org Wed Jan 31 12:00:00 2024", "Subject: x", "", "text", "", ""]
        let text = String(repeating: lines.joined(separator: end), count: 4)
        try TestFile.write(folder.path + "/inbox", text)
        let file = try LocalFile(Array("\(folder.path)/inbox".utf8))
        for piece in 3...text.utf8.count {
            var scan = try MboxScan(file, piece: piece)
            var begins: [Int64] = []
            while let place = try scan.next() { begins.append(place.line) }
            #expect(begins == (0..<4).map { Int64($0 * text.utf8.count / 4) }, "\(piece)")
        }
    }

    @Test func manyQuotedLinesAreReadAtOnce() throws {
        let folder = try mbox([Array(String(repeating: ">From \n", count: 50_000).utf8)])
        let file = try LocalFile(Array("\(folder.path)/inbox".utf8))
        var scan = try MboxScan(file)
        let message = try MboxMessage(file, try #require(try scan.next()))
        let bytes = try message.read(at: 0, count: Int(message.size))
        #expect(bytes == Array((String(repeating: "From \n", count: 50_000) + "\n\n").utf8))
        #expect(try message.read(at: 5, count: 4) == Array("\nFro".utf8))
    }

    @Test func anMboxThatWasWrittenAnewIsNoticed() async throws {
        let folder = try mbox([MailSample.message(subject: "first"), MailSample.message(subject: "second")])
        let backend = try await connect("mbox://\(folder.path)/inbox")
        let path = try ItemPath(try #require(await Tree.of(backend).last))
        let source = try await backend.open(path)
        _ = try await source.read(at: 0, count: 10)
        let rest = try mbox([MailSample.message(subject: "other"), MailSample.message(subject: "second and longer")])
        try TestFile.write(
            Array("\(folder.path)/inbox".utf8), Array(TestFile.text("\(rest.path)/inbox").utf8))
        await #expect { _ = try await source.read(at: 0, count: 10) } throws: {
            ($0 as? PluginError)?.code == .changed
        }
        await #expect { _ = try await backend.open(path) } throws: { ($0 as? PluginError)?.code == .notFound }
    }

    @Test(arguments: ["", "no mail at all\n", "From nowhere\n", "\n\nFrom a b 12:00:00 2024\n"])
    func whatIsNoMboxSaysSo(text: String) async throws {
        let folder = try ScratchFolder("mbox")
        try TestFile.write(folder.path + "/file", text)
        if text.isEmpty {
            #expect(try await Tree.of(connect("mbox://\(folder.path)/file")).isEmpty)
        } else {
            await #expect { _ = try await connect("mbox://\(folder.path)/file") } throws: {
                ($0 as? PluginError)?.code == .notAFile
            }
        }
    }

    @Test func aFileThatIsNamedIsFoundWithoutALookAtAllOthers() async throws {
        let folder = try mbox([MailSample.message(subject: "first")])
        try TestFile.makeFolder(folder.path + "/deep")
        try TestFile.write(folder.path + "/deep/notes", "no mail at all\n")
        try TestFile.write(folder.path + "/deep/empty", "")
        let backend = try await connect("mbox://\(folder.path)")
        #expect(try await backend.stat(ItemPath("inbox")).kind == .folder)
        #expect(try await backend.stat(ItemPath("deep/empty")).kind == .folder)
        await #expect { _ = try await backend.stat(ItemPath("deep/notes")) } throws: {
            ($0 as? PluginError)?.message.contains("deep/notes' is no mbox file") == true
        }
        try TestFile.write(folder.path + "/deep/&AOQ-rger", "")
        #expect(try await backend.stat(ItemPath("deep/ärger")).kind == .folder)
        await #expect { _ = try await backend.stat(ItemPath("none")) } throws: {
            ($0 as? PluginError)?.code == .notFound
        }
        let store = try #require(backend.store as? MboxStore)
        #expect(store.searches.load(ordering: .relaxed) == 0)
        #expect(try await Tree.of(backend).contains { $0.hasPrefix("inbox/") })
    }

    @Test func aMaildirIsFoundFromAboveWithoutALookAtAllOthers() async throws {
        let folder = try ScratchFolder("home")
        for name in ["mail", "mail/cur", "mail/.Work.2024", "mail/.Work.2024/cur", "other", "other/inner"] {
            try TestFile.makeFolder("\(folder.path)/\(name)")
        }
        let backend = try await connect("maildir://\(folder.path)")
        for path in ["mail", "mail/Work", "mail/Work/2024", "other/inner"] {
            #expect(try await backend.stat(ItemPath(path)).kind == .folder, "\(path)")
        }
        for path in ["none", "mail/none", "mail/cur"] {
            await #expect { _ = try await backend.stat(ItemPath(path)) } throws: {
                ($0 as? PluginError)?.code == .notFound
            }
        }
        let store = try #require(backend.store as? MaildirStore)
        #expect(store.searches.load(ordering: .relaxed) == 0)
        // The first look at a mailbox finds its messages.
        try TestFile.write("\(folder.path)/mail/cur/1:2,S", "Subject: one\r\n\r\nText\r\n")
        var entries: [Entry] = []
        for try await page in try await connect("maildir://\(folder.path)").list(ItemPath("mail")) { entries += page }
        #expect(entries.contains { $0.kind == .file }, "\(entries.map(\.name))")
        // What holds no Maildir says so when it is listed.
        let other = try await connect("maildir://\(folder.path)/other")
        await #expect { _ = try await Tree.of(other) } throws: {
            ($0 as? PluginError)?.message.contains("is no Maildir") == true
        }
    }

    @Test(arguments: ["maildir", "mbox"]) func theFolderOfAMessageIsARootAsWell(kind: String) async throws {
        let message = MailSample.message(
            subject: "50 % off?", files: [.init(Array("a.pdf".utf8), Array("%PDF one".utf8))])
        let folder = kind == "mbox" ? try mbox([message]) : try maildir([message])
        let mailbox = "\(kind)://\(folder.path)" + (kind == "mbox" ? "/inbox" : "")
        try await AttachmentTree.isReached(from: mailbox) { (uri) throws(PluginError) in try await self.connect(uri) }
    }

    @Test func noiseAndCutMessagesEndInBounds() async throws {
        var noise = SeededNumbers(seed: 1)
        let whole = MailSample.message(subject: "cut", files: [.init(Array("a.bin".utf8), Array(0..<255))])
        var messages = stride(from: 0, to: whole.count, by: 37).map { Array(whole.prefix($0)) }
        messages += (0..<20).map { _ in noise.bytes(3000) }
        let folder = try maildir(messages)
        let backend = try await connect("maildir://\(folder.path)")
        for name in try await Tree.of(backend) {
            let path = try ItemPath(name)
            guard try await backend.stat(path).kind == .file else { continue }
            let source = try await backend.open(path)
            let size = try #require(source.entry.size)
            #expect(size >= 0 && size <= 5000)
            if size > 0 { #expect(try await source.read(at: 0, count: Int(size)).count == Int(size)) }
        }
    }

    @Test func manyMessagesComeInPages() async throws {
        let folder = try maildir([])
        let message = MailSample.message(subject: "one of many")
        for number in 0..<3000 { try TestFile.write(Array("\(folder.path)/cur/\(number).host:2,S".utf8), message) }
        let backend = try await connect("maildir://\(folder.path)")
        var pages: [Int] = []
        for try await page in backend.list(.root) { pages.append(page.count) }
        #expect(pages.reduce(0, +) == 3000 && pages.allSatisfy { 1...1000 ~= $0 }, "\(pages)")
    }
}

/// All paths of a source, sorted.
enum Tree {
    static func of(_ backend: any StorageBackend, below folder: ItemPath = .root) async throws -> [String] {
        var paths: [String] = []
        for try await page in backend.list(folder) {
            for entry in page {
                let path = try folder.appending(entry.name)
                paths.append(String(decoding: path.bytes, as: UTF8.self))
                if entry.kind == .folder { paths += try await of(backend, below: path) }
            }
        }
        return paths.sorted()
    }
}

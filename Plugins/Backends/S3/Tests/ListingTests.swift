import Synchronization
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import S3Backend

/// Listings that real servers do not give on command; rclone answers all else.
@Suite(.serialized, .enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
struct ListingTests {
    /// A backend whose listings are these, page by page.
    private func backend(_ pages: [String], endless: Bool = false) async throws -> (
        S3Backend, FaultProxy, RcloneServer
    ) {
        let server = try RcloneServer(.s3)
        try TestFile.makeFolder(server.root + "/bucket")
        let number = Mutex(0)
        let proxy = try FaultProxy(before: server.port) { request in
            guard request.target.contains("max-keys=1000") else { return nil }
            let page = number.withLock { number in
                defer { number += 1 }; return number
            }
            let isLast = !endless && page + 1 >= pages.count
            let more = isLast ? "false" : "true</IsTruncated><NextContinuationToken>\(endless ? 0 : page)"
            let end = isLast ? "</IsTruncated>" : "</NextContinuationToken>"
            return .answer(
                status: 200, headers: [],
                body: "<ListBucketResult><EncodingType>url</EncodingType>\(pages[min(page, pages.count - 1)])"
                    + "<IsTruncated>\(more)\(end)</ListBucketResult>")
        }
        return (try await connect(proxy.port), proxy, server)
    }

    private func object(_ key: String) -> String { "<Contents><Key>\(key)</Key><Size>1</Size></Contents>" }
    private func folder(_ key: String) -> String { "<CommonPrefixes><Prefix>\(key)</Prefix></CommonPrefixes>" }

    private func list(_ backend: S3Backend, _ folder: ItemPath = .root) async throws(PluginError) -> [Entry] {
        var entries: [Entry] = []
        for try await page in backend.list(folder) { entries += page }
        return entries
    }

    @Test func whatNoPathLeadsToIsLeftOutAndCounted() async throws {
        let (backend, proxy, server) = try await backend([
            object("a") + object("..") + object(".") + folder("%2F") + folder("../") + folder("b/") + object("%00")
        ])
        defer { withExtendedLifetime((proxy, server)) {} }
        await #expect { try await self.list(backend) } throws: { ($0 as? PluginError)?.code == .io }
        let (other, second, third) = try await self.backend([
            object("a") + object("..") + object(".") + folder("%2F") + folder("../") + folder("b/")
        ])
        defer { withExtendedLifetime((second, third)) {} }
        #expect(Set(try await list(other).map(\.name)) == [[97], [98]])
        #expect(other.omitted.count == 4)
        let said = other.omissions
        #expect(said.count == 4 && said.allSatisfy { $0.code == .unsupported && $0.message.contains("is no path") })
        #expect(said.contains { $0.message.hasPrefix("'../' ") || $0.message.hasPrefix("'..' ") })
    }

    @Test func whatIsLeftOutIsSaidOnceAndInBounds() {
        let omissions = S3Omissions()
        for _ in 0..<2 {
            for number in 0..<12_000 { omissions.add(Array("a//\(number)".utf8), "is no path") }
        }
        #expect(omissions.sentences.count == 101)
        #expect(omissions.sentences.last?.message == "at least 9900 further keys are left out for such reasons")
    }

    @Test func aSourceWithoutAKeyIsNamed() async throws {
        let server = try RcloneServer(.s3)
        try TestFile.makeFolder(server.root + "/bucket")
        await #expect { _ = try await connect(server.port, "bucket/none") } throws: {
            ($0 as? PluginError)?.message == "the bucket 'bucket' has nothing below 'none/'"
        }
    }

    @Test func aFolderGoesBeforeAnObjectOfItsName() async throws {
        let (backend, proxy, server) = try await backend([
            object("a") + object("a-b"), object("a.c") + folder("a/") + object("b"),
        ])
        defer { withExtendedLifetime((proxy, server)) {} }
        let entries = try await list(backend)
        #expect(entries.filter { $0.name == [97] }.map(\.kind) == [.folder])
        #expect(entries.count == 4 && backend.omitted.count == 1)
        #expect(backend.omissions.first?.message.contains("'a' has the name of a folder") == true)
    }

    @Test func whatLiesElsewhereIsRefused() async throws {
        for answer in [object("a/b"), folder("a"), object("x%ZZ"), "<Contents></Contents><a></b>"] {
            let (backend, proxy, server) = try await backend([answer])
            defer { withExtendedLifetime((proxy, server)) {} }
            await #expect { try await self.list(backend) } throws: { ($0 as? PluginError)?.code == .io }
        }
    }

    /// Pages of which each tells where the next one begins; what is behind is never listed.
    /// - Parameter fault: what happens to the request for a page; `nil`: it is given.
    private func chain(
        _ pages: [String: String], settings: [String: String] = [:],
        _ fault: @escaping @Sendable (_ token: String) -> Fault? = { _ in nil }
    ) async throws -> (S3Backend, FaultProxy, RcloneServer) {
        let server = try RcloneServer(.s3)
        try TestFile.makeFolder(server.root + "/bucket")
        let proxy = try FaultProxy(before: server.port) { request in
            guard request.target.contains("max-keys=1000") else { return nil }
            let query = request.target.split(separator: "?").last?.split(separator: "&") ?? []
            let token = query.first { $0.hasPrefix("continuation-token=") }.map { String($0.dropFirst(19)) } ?? ""
            if let fault = fault(token) { return fault }
            let body = "<ListBucketResult>\(pages[token] ?? "")</ListBucketResult>"
            return .answer(status: 200, headers: [], body: body)
        }
        return (try await connect(proxy.port, "bucket", settings), proxy, server)
    }

    private func next(_ token: String) -> String {
        "<IsTruncated>true</IsTruncated><NextContinuationToken>\(token)</NextContinuationToken>"
    }

    @Test(.timeLimit(.minutes(10))) func whoReadsOnFindsTheNextPageOnItsWay() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: String.self)
        // The last one of a page is kept back, since a folder of its name may follow.
        let pages = ["": object("a") + object("b") + next("1"), "1": object("c") + next("2")]
        let (backend, proxy, server) = try await chain(
            pages, settings: ["connections": "1", "stall-timeout": "3600", "timeout": "3600"]
        ) { token in
            asking.yield(token)
            return token == "2" ? .stall(after: 0) : nil
        }
        defer { withExtendedLifetime((proxy, server)) {} }
        var tokens = asked.makeAsyncIterator()
        var listing: (any AsyncIteratorProtocol)? = backend.list(.root).makeAsyncIterator()
        _ = try await listing?.next()
        #expect(await tokens.next() == "" && proxy.requests.filter { $0.target.contains("token=1") }.isEmpty)
        _ = try await listing?.next()
        // Nobody asked for the third page yet.
        #expect(await tokens.next() == "1")
        #expect(await tokens.next() == "2")
        listing = nil
        // That page never comes, and there is one connection only: who asks now is answered once it is given back.
        var other = backend.list(.root).makeAsyncIterator()
        #expect(try await other.next()?.isEmpty == false)
    }

    @Test func aPageThatWasAskedForTooEarlyIsNotTaken() async throws {
        let lie = "<!--\(next("lie"))-->"
        #expect(S3PageAhead.likelyToken(in: Array((lie + next("2")).utf8)) == "lie")
        #expect(S3PageAhead.likelyToken(in: Array(next("2").utf8)) == "2")
        let broken = [next("2").dropLast(), next("2").dropFirst()].map { String($0) }
        let long = String(repeating: "x", count: S3PageAhead.longestToken)
        #expect(S3PageAhead.likelyToken(in: Array(next(long).utf8)) == long)
        for text in ["", next(""), next("3&amp;"), next("<a/>"), next(long + "x")] + broken {
            #expect(S3PageAhead.likelyToken(in: Array(text.utf8)) == nil, "\(text)")
        }
        let (backend, proxy, server) = try await chain([
            "": object("a") + next("1"), "1": lie + object("b") + next("2"), "2": lie + object("c") + next("3&amp;"),
            "3%26": object("d") + lie,
            "lie": object("lie"),
        ])
        defer { withExtendedLifetime((proxy, server)) {} }
        #expect(try await list(backend).map(\.name) == ["a", "b", "c", "d"].map { Array($0.utf8) })
        // Who was wrong once guesses no more.
        #expect(proxy.requests.filter { $0.target.contains("token=lie") }.count <= 1)
    }

    /// A page that was asked for in vain must not hold a connection while the right one is waited for.
    @Test(.timeLimit(.minutes(10))) func aPageThatWasAskedForInVainIsGivenBack() async throws {
        let pages = [
            "": object("a") + next("1"), "1": "<!--\(next("lie"))-->" + object("b") + next("2"), "2": object("c"),
        ]
        let (backend, proxy, server) = try await chain(
            pages, settings: ["connections": "1", "stall-timeout": "3600", "timeout": "3600"]
        ) { $0 == "lie" ? .stall(after: 0) : nil }
        defer { withExtendedLifetime((proxy, server)) {} }
        #expect(try await list(backend).map(\.name) == ["a", "b", "c"].map { Array($0.utf8) })
    }

    @Test func pagesOfTooManyNamesAreRefused() async throws {
        let many = (0..<1001).map { object("\($0)") }.joined()
        let (backend, proxy, server) = try await backend([many])
        defer { withExtendedLifetime((proxy, server)) {} }
        await #expect { try await self.list(backend) } throws: {
            ($0 as? PluginError)?.message.contains("more than 1000 names") == true
        }
    }

    /// What is kept back for a folder that may follow is one entry, however often the server names it.
    @Test func namesThatComeAgainAreHeldOnce() async throws {
        let (backend, proxy, server) = try await backend([object("a"), object("a") + object("a"), object("b")])
        defer { withExtendedLifetime((proxy, server)) {} }
        #expect(try await list(backend).map(\.name) == [[97], [98]])
    }

    @Test func noMoreNamesAreHeldThanAKeyHasBeginnings() async throws {
        func names(_ lengths: Range<Int>) -> String {
            lengths.map { object(String(repeating: "a", count: $0)) }.joined()
        }
        let (backend, proxy, server) = try await backend([names(1..<1001), names(1001..<1030), object("b")])
        defer { withExtendedLifetime((proxy, server)) {} }
        await #expect { try await self.list(backend) } throws: {
            ($0 as? PluginError)?.message.contains("longer than keys can be") == true
        }
    }

    @Test(.timeLimit(.minutes(10))) func whoIsStoppedDoesNotWaitForThePageAhead() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let pages = ["": object("a") + next("1"), "1": object("b") + next("2")]
        let (backend, proxy, server) = try await chain(pages) { token in
            guard token == "2" else { return nil }
            asking.yield()
            return .stall(after: 0)
        }
        defer { withExtendedLifetime((proxy, server)) {} }
        let listing = Task { try await list(backend) }
        for await _ in asked { break }
        listing.cancel()
        await #expect { try await listing.value } throws: { ($0 as? PluginError)?.code == .cancelled }
    }

    @Test func listingsThatDoNotEndAreRefused() async throws {
        let (backend, proxy, server) = try await backend([object("a")], endless: true)
        await #expect { try await self.list(backend) } throws: {
            ($0 as? PluginError)?.message.contains("does not end") == true
        }
        withExtendedLifetime(server) {}
        #expect(proxy.requests.count < 10)
    }
}

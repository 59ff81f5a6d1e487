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
        #expect(other.unreachableKeys == 4)
    }

    @Test func aFolderGoesBeforeAnObjectOfItsName() async throws {
        let (backend, proxy, server) = try await backend([
            object("a") + object("a-b"), object("a.c") + folder("a/") + object("b"),
        ])
        defer { withExtendedLifetime((proxy, server)) {} }
        let entries = try await list(backend)
        #expect(entries.filter { $0.name == [97] }.map(\.kind) == [.folder])
        #expect(entries.count == 4 && backend.unreachableKeys == 1)
    }

    @Test func whatLiesElsewhereIsRefused() async throws {
        for answer in [object("a/b"), folder("a"), object("x%ZZ"), "<Contents></Contents><a></b>"] {
            let (backend, proxy, server) = try await backend([answer])
            defer { withExtendedLifetime((proxy, server)) {} }
            await #expect { try await self.list(backend) } throws: { ($0 as? PluginError)?.code == .io }
        }
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

import TestServers
import Testing
import VitrineKit
import VitrineTesting
import WebDAVBackend

/// A thousand items from far away, over a network that fails now and then.
@Suite(.serialized, .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct ThroughputTests {
    private static let count = 1000

    @Test func errorsCostLittle() async throws {
        let server = try NginxServer()
        for number in 0..<Self.count {
            try TestFile.write("\(server.root)/\(number).txt", "content of \(number)")
        }
        let clean = try await readAll(server) { _ in .delay(.milliseconds(50)) }
        // One in a hundred is reset, one in five hundred never ends.
        let faulty = try await readAll(server) { request in
            if request.number % 100 == 50 { return .reset }
            return request.number % 500 == 251 ? .stall(after: 3) : .delay(.milliseconds(50))
        }
        print("1000 items: \(clean) clean, \(faulty) with errors, throughput \(clean / faulty)")
        #expect(clean / faulty >= 0.7)
    }

    /// Lists and reads all items, sixteen at a time.
    /// - Returns: how long it took.
    private func readAll(
        _ server: NginxServer, _ fault: @escaping @Sendable (ProxiedRequest) -> Fault?
    ) async throws -> Duration {
        let proxy = try FaultProxy(before: server.port) { _ in nil }
        let backend = try await connect(proxy.port, ["stall-timeout": "1"])
        proxy.set(fault)
        let start = ContinuousClock.now
        var entries: [Entry] = []
        for try await page in backend.list(.root) { entries += page }
        #expect(Set(entries.map(\.name)).count == Self.count && entries.count == Self.count)
        let items = entries
        let wrong = await withTaskGroup(of: Int.self) { group in
            for first in 0..<16 {
                group.addTask {
                    var wrong = 0
                    for index in stride(from: first, to: items.count, by: 16) {
                        let entry = items[index]
                        let number = String(decoding: entry.name, as: UTF8.self).split(separator: ".").first ?? ""
                        let file = try? await backend.open(ItemPath(entry.name), listedAs: entry)
                        let read = try? await file?.read(at: 0, count: 100)
                        if read?.elementsEqual("content of \(number)".utf8) != true { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        return .now - start
    }
}

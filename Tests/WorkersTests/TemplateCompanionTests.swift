import Containment
import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Workers

/// Renderers that share a template.
@Suite(.timeLimit(.minutes(10))) struct TemplateCompanionTests: TemplateTests {
    let scratch: TemporaryFolder
    var specification = WorkerSpecification.hostile

    init() throws { scratch = try TemporaryFolder() }

    /// The renderer of these tests twice, each with a library of its own.
    /// - Parameter habit: what the second one does while it warms up. Default: nothing.
    private func companions(_ habit: String? = nil) throws -> (TemplateCompanionTests, TemplateCompanionTests) {
        var (first, second) = (self, self)
        if let habit {
            try scratch.write("plugin/\(habit)", Data())
            second.specification.pluginFolder = scratch.path + "/plugin"
        }
        let library = scratch.path + "/libOther.so"
        try FileManager.default.copyItem(atPath: specification.library, toPath: library)
        #expect(chmod(scratch.path, 0o755) == 0 && chmod(library, 0o755) == 0)
        (second.specification.id, second.specification.library) = ("other", library)
        let plain = (first.specification, second.specification)
        first.specification.shareTemplate(with: [plain.1])
        second.specification.shareTemplate(with: [plain.0])
        return (first, second)
    }

    @Test func `renderers that share a template have workers of their own`() async throws {
        let (first, second) = try companions()
        let pool = pool()
        let one = try await first.serve("ok", pool)
        let template = try await first.template(pool)
        let other = try await second.serve("ok", pool)
        #expect(try await second.template(pool) === template && one != other)
        let templates = await pool.templates.count
        #expect(templates == 1)
        let ids = pool.shelf.specifications.map(\.id)
        #expect(ids == ["hostile", "other"])
        await pool.end()
    }

    @Test func `a companion that does not load is no concern of the others`() async throws {
        var (first, second) = try companions()
        let missing = scratch.path + "/libMissing.so"
        var plain = second.specification
        plain.library = missing
        first.specification.shareTemplate(with: [plain])
        second.specification.library = missing
        let (pool, copy) = (pool(), second)
        _ = try await first.serve("ok", pool)
        let template = try await first.template(pool)
        let error = await #expect(throws: PluginError.self) { _ = try await copy.serve("ok", pool) }
        #expect(error?.code == .pluginUnavailable && error?.message.contains("libMissing.so") == true)
        _ = try await first.serve("ok", pool)
        #expect(try await first.template(pool) === template)
        await pool.end()
    }

    @Test(arguments: [true, false])
    func `a companion that ends the process while it warms up fails by itself only`(isFirst: Bool) async throws {
        let (sound, broken) = try companions("crashes")
        let pool = pool()
        func fails() async throws {
            let error = await #expect(throws: PluginError.self) { _ = try await broken.serve("ok", pool) }
            #expect(error?.code == .pluginUnavailable && error?.message.contains("plugin 'other'") == true)
        }
        if isFirst { try await fails() }
        _ = try await sound.serve("ok", pool)
        if !isFirst { try await fails() }
        _ = try await sound.serve("ok", pool)
        #expect(await pool.startedCount == 1)
        await pool.end()
    }

    @Test func `a template that a companion kept from starting is tried again after a while`() async throws {
        let (sound, broken) = try companions("crashes")
        let pool = WorkerPool(
            program: Products.program("vitrine-worker"), maximumIdle: 4, idleTime: .milliseconds(20))
        await #expect(throws: PluginError.self) { _ = try await broken.serve("ok", pool) }
        try FileManager.default.removeItem(atPath: scratch.path + "/plugin/crashes")
        try await Condition.met("both have a template again") {
            _ = try await sound.serve("ok", pool)
            if case .ready? = await pool.templates[sound.specification.template] { return true }
            return false
        }
        _ = try await broken.serve("ok", pool)
        await pool.end()
    }

    @Test func `who waits for a template that another renderer was to start does not get the other's error`()
        async throws
    {
        let (sound, broken) = try companions("hangs")
        let pool = pool()
        let failing = Task { try await broken.serve("ok", pool) }
        let start = try await starting(sound.specification, of: pool)
        async let served = sound.serve("ok", pool)
        try await Condition.met("both wait for the template") { start.waiterCount == 2 }
        #expect(kill(start.link.pid, SIGKILL) == 0)
        _ = try await served
        // Started by itself it hangs again.
        failing.cancel()
        await #expect(throws: PluginError.self) { _ = try await failing.value }
        await pool.end()
    }

    @Test func `renderers that may do more have a template of their own`() throws {
        var other = specification
        (other.id, other.library) = ("other", "/nonexistent/libOther.so")
        other.profile = try ContainmentProfile(threads: true)
        var sharing = specification
        sharing.shareTemplate(with: [other])
        #expect(sharing.template == specification.template)
    }
}

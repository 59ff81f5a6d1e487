import Containment
import Foundation
import TestSupport
import Testing
import VitrineKit
import WorkerWire

@testable import Workers

/// Workers that cannot be started, or not as they must be.
@Suite struct WorkerStartTests: HostileJobs {
    let scratch: TemporaryFolder
    var specification = WorkerSpecification.hostile

    init() throws { scratch = try TemporaryFolder() }

    @Test func `a renderer that cannot be started says why`() async throws {
        var tests = self
        tests.specification.library = "/nowhere/libNothing.so"
        let pool = pool()
        guard case .failure(let missing) = await tests.render("ok", pool) else {
            Issue.record("it made a picture")
            return
        }
        #expect(missing.code == .pluginUnavailable)
        #expect(missing.message.contains("/nowhere/libNothing.so"))
        let nothing = WorkerPool(program: "/nowhere/vitrine-worker", maximumIdle: 1)
        guard case .failure(let program) = await render("ok", nothing) else {
            Issue.record("it made a picture")
            return
        }
        #expect(program.message.contains("/nowhere/vitrine-worker"))
        // A program that is no worker ends, or says nothing that makes sense.
        let other = WorkerPool(program: "/bin/true", maximumIdle: 1)
        guard case .failure(let ended) = await render("ok", other) else {
            Issue.record("it made a picture")
            return
        }
        #expect(ended.code == .pluginUnavailable)
        await pool.end()
    }

    @Test func `a worker that is killed while it starts says nothing about its renderer`() async throws {
        let error = try await failure(ofProgram: "#!/bin/sh\nkill -KILL $$\n")
        // What counts as absent is passed over for a while, and what others say of its files then is remembered.
        #expect(error.code == .workerLost && error.message.contains("signal 9"), "\(error.message)")
    }

    @Test func `a worker that hangs up while it starts counts as one that cannot be started`() async throws {
        let error = try await failure(ofProgram: "#!/bin/sh\nexec 3>&-\nexec sleep 1000\n")
        // The host killed it, and nobody else.
        #expect(error.code == .pluginUnavailable && error.message.contains("closed its connection"), "\(error.message)")
    }

    /// Why there is no picture when a script takes the place of the worker's program.
    private func failure(ofProgram script: String) async throws -> PluginError {
        let scratch = try TemporaryFolder()
        try scratch.write("program", Data(script.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path + "/program")
        while true {
            let pool = WorkerPool(program: scratch.path + "/program", maximumIdle: 1)
            let result = await render("ok", pool)
            await pool.end()
            guard case .failure(let error) = result else { throw NotRefused() }
            // What another test starts has the script open for writing, from its fork until it becomes another program.
            if !error.message.contains("Text file busy") { return error }
        }
    }

    private struct NotRefused: Error {}

    @Test func `what waits for work is given none unless it is contained as required`() async throws {
        let started = try await WorkerProcess.start(
            program: Products.program("vitrine-worker"), specification, deadline: .seconds(300))
        let readiness = WorkerReadiness(layers: [LayerLine(name: "seccomp", state: .absent, reason: "not here")])
        let pool = WorkerPool(
            program: Products.program("vitrine-worker"), maximumIdle: 2, requiredLevel: .calls)
        // As one that was to become a template and became a worker: nobody has asked how it is contained.
        await pool.keep(WorkerProcess(specification, readiness: readiness, link: started.link))
        guard case .failure(let error) = await render("ok", pool) else {
            Issue.record("it made a picture")
            return
        }
        #expect(error.code == .pluginUnavailable && error.message.contains("require containment 'calls'"))
        #expect(started.documents == 0)
        await started.ended(within: .seconds(300))
        await pool.end()
    }
}

extension WorkerPool {
    /// Has a process wait for work.
    fileprivate func keep(_ process: WorkerProcess) { shelf.give(process) }
}

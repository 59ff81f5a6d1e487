import Containment
import Foundation
import TestSupport
import Testing
import VitrineKit
import WorkerWire
import Workers

/// Levels: what they need, and what happens below the one that is required.
@Suite struct LevelTests {
    private func report(
        without absent: [Containment.Layer] = [], broken: [Containment.Layer] = []
    ) -> ContainmentReport {
        ContainmentReport(
            Containment.Layer.allCases.map { layer in
                LayerReport(
                    layer, broken.contains(layer) ? .broken("x") : absent.contains(layer) ? .absent("x") : .active)
            })
    }

    @Test func `levels are ordered`() {
        #expect(ContainmentLevel.allCases == ContainmentLevel.allCases.sorted())
        #expect(ContainmentLevel.allCases.first == ContainmentLevel.none)
        #expect(ContainmentLevel.allCases.last == .full)
    }

    @Test func `a level is reached with the layers that it needs`() throws {
        let reads = try ContainmentProfile(read: ["/usr/share/fonts"])
        #expect(report().level(for: .strictest) == .full)
        #expect(report(without: [.namespaces]).level(for: .strictest) == .calls)
        // Who opens no file is kept from all of them by seccomp alone; who reads fonts needs Landlock.
        let oldDocker: [Containment.Layer] = [.namespaces, .files, .tcp, .signals]
        #expect(report(without: oldDocker).level(for: .strictest) == .calls)
        #expect(report(without: oldDocker).level(for: reads) == .basic)
        #expect(report(without: oldDocker).missing(for: .files, reads).map(\.layer) == [.files])
        #expect(report(without: [.calls]).level(for: .strictest) == .files)
        #expect(report(without: [.calls, .files]).level(for: .strictest) == .basic)
        #expect(report(without: [.limits]).level(for: .strictest) == ContainmentLevel.none)
    }

    @Test(arguments: Containment.Layer.allCases)
    func `a broken layer leaves no level`(layer: Containment.Layer) {
        #expect(report(broken: [layer]).level(for: .strictest) == ContainmentLevel.none)
        #expect(report(broken: [layer]).missing(for: .basic, .strictest).map(\.layer) == [layer])
    }

    /// A real worker in an older Docker's profile, which knows neither Landlock nor namespaces.
    @Test func `below the required level nothing is rendered, and the reason names level and layer`() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let script = try folder.write(
            "worker",
            Data(
                """
                #!/bin/sh
                exec '\(Products.program("ContainmentProbe"))' --like-old-docker --exec '\(Products.program("vitrine-worker"))'
                """.utf8))
        chmod(script.path, 0o755)
        let specification = WorkerSpecification(
            id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
            profile: .strictest)
        let file = try FileHandle(forReadingFrom: folder.hostile("a.hostile", "ok"))
        let job = WorkerJob(
            input: file.fileDescriptor, RenderWish(boxes: [128], mimeType: "application/x-vitrine-hostile"))

        let strict = WorkerPool(program: script.path, maximumIdle: 1, requiredLevel: .full)
        for _ in 0..<2 {
            do throws(PluginError) {
                _ = try await strict.render(job, by: specification)
                Issue.record("it made a picture")
            } catch {
                #expect(error.code == .pluginUnavailable)
                #expect(!error.isPermanent)
                #expect(error.message.contains("'full'"))
                #expect(error.message.contains("landlock-files"))
            }
        }
        #expect(await strict.idleCount == 0)
        let lacking = await strict.lackingLayers.map(\.layer)
        #expect(lacking == [.namespaces, .files, .tcp, .signals])
        await strict.end()

        let lenient = WorkerPool(program: script.path, maximumIdle: 1, requiredLevel: .calls)
        #expect(try await lenient.render(job, by: specification).pictures.count == 1)
        await lenient.end()
    }
}

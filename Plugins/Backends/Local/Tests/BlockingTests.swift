import Dispatch
import Glibc
import Testing
import VitrineKit

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct BlockingTests {
    /// So many that others would wait for minutes on a concurrent queue of Dispatch, which gets a thread more each second.
    private static let stuck = 120

    @Test func `calls that are stuck hold up no other`() async throws {
        var pipe: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        let (reading, writing) = (pipe[0], pipe[1])
        defer { close(reading) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.stuck {
                group.addTask {
                    try await Blocking.run { () throws(PluginError) in
                        var byte: UInt8 = 0
                        _ = read(reading, &byte, 1)
                    }
                }
            }
            // The end of the pipe lets them go, whatever comes.
            defer { close(writing) }
            // From the call to its beginning: when this task is given the answer depends on what other tests do.
            let clock = ContinuousClock()
            for _ in 0..<5 {
                let called = clock.now
                let began = try await Blocking.run { () throws(PluginError) in clock.now }
                #expect(began - called < .seconds(60))
            }
        }
    }

    @Test func `a task that the engine gave a thread changes it no more`() async throws {
        final class Aside: TaskExecutor {
            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                DispatchQueue(label: "aside").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }
        @Sendable func here() -> UInt { UInt(pthread_self()) }
        try await Task(executorPreference: Aside()) {
            let before = here()
            let inside = try await Blocking.run { () throws(PluginError) in here() }
            #expect(inside == before)
        }.value
    }
}

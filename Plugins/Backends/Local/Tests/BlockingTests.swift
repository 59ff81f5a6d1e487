import Glibc
import Testing
import VitrineKit

@testable import LocalBackend

@Suite(.timeLimit(.minutes(2))) struct BlockingTests {
    @Test func `calls that are stuck hold up no other`() async throws {
        var pipe: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        let (reading, writing) = (pipe[0], pipe[1])
        defer { close(reading) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
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
                #expect(began - called < .seconds(5))
            }
        }
    }
}

import Testing
import Transfer
import VitrineKit

@Test func restsAfterTenFailuresAndTriesAgain() throws {
    let health = SourceHealth(name: "example.org")
    let start = ContinuousClock.now
    for _ in 0..<9 { health.failed(at: start) }
    #expect(try health.admit(at: start) == .zero)
    health.failed(at: start)
    #expect { try health.admit(at: start + .seconds(14)) } throws: {
        guard let error = $0 as? PluginError else { return false }
        return error.code == .offline && error.message.contains("example.org") && error.message.contains("2 s")
    }
    // One request finds out; the others wait for what it finds.
    let later = start + .seconds(16)
    #expect(try health.admit(at: later) == .zero)
    #expect(throws: PluginError.self) { try health.admit(at: later) }
    health.failed(at: later)
    #expect(throws: PluginError.self) { try health.admit(at: later + .seconds(29)) }
    #expect(try health.admit(at: later + .seconds(31)) == .zero)
    health.succeeded()
    #expect(try health.admit(at: later + .seconds(31)) == .zero)
}

@Test func aSuccessBetweenFailuresCounts() throws {
    let health = SourceHealth(name: "example.org")
    let start = ContinuousClock.now
    for _ in 0..<5 {
        for _ in 0..<9 { health.failed(at: start) }
        health.succeeded()
    }
    #expect(try health.admit(at: start) == .zero)
}

@Test func retriesRunOutAndAreEarned() {
    let health = SourceHealth(name: "example.org")
    var taken = 0
    while health.takeRetry(), taken < 1000 { taken += 1 }
    #expect(taken == 20)
    for _ in 0..<9 { health.succeeded() }
    #expect(!health.takeRetry())
    for _ in 0..<3 { health.succeeded() }
    #expect(health.takeRetry())
}

@Test func aServerThatAsksForQuietGetsIt() throws {
    let health = SourceHealth(name: "example.org")
    let start = ContinuousClock.now
    health.quiet(for: .seconds(5), at: start)
    health.quiet(for: .seconds(2), at: start)
    #expect(try health.admit(at: start + .seconds(1)) == .seconds(4))
    #expect(try health.admit(at: start + .seconds(6)) == .zero)
}

@Test func requestsAreSpreadWhereTheirRateIsLimited() throws {
    let health = SourceHealth(name: "example.org", rate: 4)
    let start = ContinuousClock.now
    #expect(try (0..<4).map { _ in try health.admit(at: start) } == (0..<4).map { .milliseconds(250 * $0) })
    // Time that passed unused is not made up for.
    let later = start + .seconds(10)
    #expect(try (0..<2).map { _ in try health.admit(at: later) } == [.zero, .milliseconds(250)])
    // What the server asks for goes before.
    health.quiet(for: .seconds(5), at: later)
    #expect(try (0..<2).map { _ in try health.admit(at: later) } == [.seconds(5), .milliseconds(5250)])
}

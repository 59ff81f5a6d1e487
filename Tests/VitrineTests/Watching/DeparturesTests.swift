import Testing

@testable import Vitrine

/// When a watch tells that items are gone.
@Suite struct DeparturesTests {
    private let departures = Departures()
    private let now = ContinuousClock.now

    @Test func `what arrives at another source is not told to be gone, whichever of them is looked at first`() {
        #expect(departures.left("1", "a", at: now) == .wait)
        departures.arrived(from: "1", at: now + .milliseconds(10))
        #expect(departures.first(from: "a") == nil)
        departures.arrived(from: "2", at: now)
        #expect(departures.left("2", "a", at: now + .milliseconds(10)) == .pass)
        #expect(departures.take(from: "a", until: nil).isEmpty)
        // Once only: what comes to the same place is another one.
        #expect(departures.left("2", "a", at: now + .milliseconds(20)) == .wait)
        departures.arrived(from: "3", at: now)
        #expect(departures.appeared(at: "3") == nil)
        #expect(departures.left("3", "a", at: now + .milliseconds(20)) == .wait)
        departures.arrived(from: "4", at: now)
        #expect(departures.left("4", "a", at: now + .seconds(3600)) == .wait)
    }

    @Test func `what is gone is told in its order, by its own source, after a while`() {
        for (index, uri) in ["3", "1", "2"].enumerated() {
            #expect(departures.left(uri, "a", at: now + .milliseconds(index)) == .wait)
        }
        #expect(departures.left("4", "b", at: now) == .wait)
        #expect(departures.first(from: "a") == now && departures.first(from: "c") == nil)
        #expect(departures.take(from: "a", until: now + .milliseconds(1)) == ["3", "1"])
        #expect(departures.take(from: "a", until: nil) == ["2"])
        #expect(departures.take(from: "a", until: nil).isEmpty)
        // What is in its place now comes after it.
        #expect(departures.appeared(at: "4") == "b")
        #expect(departures.first(from: "b") == nil)
    }

    @Test func `what is too much to be remembered is told at once`() {
        for number in 0..<Departures.limit { _ = departures.left("\(number)", "a", at: now) }
        #expect(departures.left("last", "a", at: now) == .tell)
        for number in 0..<2 * Departures.limit { departures.arrived(from: "x\(number)", at: now) }
        #expect(departures.take(from: "a", until: nil).count == Departures.limit)
    }
}

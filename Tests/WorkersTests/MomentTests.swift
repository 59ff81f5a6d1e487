import Testing
import Timing

@Suite struct MomentTests {
    @Test func timeGoesOn() {
        let before = Moment.now
        #expect(before <= .now)
        #expect(Moment.now - before >= .zero)
    }

    @Test func whatIsAddedIsBetween() {
        let now = Moment.now
        #expect(now + .milliseconds(5) - now == .milliseconds(5))
        #expect(now - .seconds(2) < now)
        #expect((now + .seconds(1)).duration(to: now) == .seconds(-1))
        var later = now
        later += .nanoseconds(1)
        #expect(later > now)
    }

    @Test func whatIsTooFarIsTheLastMomentThereIs() {
        let now = Moment.now
        let never = now + .seconds(Int64.max)
        #expect(never > now + .seconds(1_000_000_000))
        #expect(never + .seconds(1) == never)
        #expect(now + .seconds(9_223_372_036) + .milliseconds(900) == never)
        #expect(now + (.seconds(9_223_372_036) + .milliseconds(900)) == never)
        #expect(now - .seconds(Int64.max) < now)
        #expect(now - (now - .seconds(Int64.max)) > .zero)
    }
}

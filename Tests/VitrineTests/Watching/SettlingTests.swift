import Testing
import VitrineKit

@testable import Vitrine

/// When items are taken, with clocks that the test holds.
@Suite struct SettlingTests {
    private let start = ContinuousClock.now
    /// Seconds since 1970 at the start.
    private let time: Int64 = 1_700_000_000
    private let path = ItemPath.root

    private func entry(_ size: Int64, at seconds: Int64, _ nanoseconds: UInt32 = 0) -> Entry {
        Entry(
            name: Array("a".utf8), kind: .file, size: size,
            modified: Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test func aFileThatNobodyWritesIsTakenAtOnce() throws {
        var settling = Settling()
        #expect(settling.judge(path, entry(1, at: time - 10), now: start, time: time) == .take)
        #expect(settling.judge(path, entry(1, at: -5), now: start, time: time) == .take)
        let unknown = Entry(name: [97], kind: .file, size: 1)
        #expect(settling.judge(path, unknown, now: start, time: time) == .take)
        #expect(settling.waitingCount == 0)
    }

    @Test func aFileOfNowIsTakenWhenItStaysTheSame() {
        var settling = Settling()
        let first = entry(10, at: time)
        #expect(settling.judge(path, first, now: start, time: time) == .wait(until: start + .milliseconds(500)))
        // Too early.
        let early = start + .milliseconds(300)
        #expect(settling.judge(path, first, now: early, time: time) == .wait(until: start + .milliseconds(500)))
        // It grew meanwhile.
        let later = start + .milliseconds(600)
        let second = entry(20, at: time, 5)
        #expect(settling.judge(path, second, now: later, time: time) == .wait(until: later + .milliseconds(500)))
        #expect(settling.judge(path, second, now: later + .milliseconds(500), time: time) == .take)
        #expect(settling.waitingCount == 0)
    }

    @Test func aFileThatIsSeenAgainWhileItIsWorkedOnIsNotWaitedForAnyMore() {
        let file = entry(10, at: time)
        for looksAgain in [false, true] {
            var settling = Settling()
            _ = settling.judge(path, file, now: start, time: time)
            let taken = start + .milliseconds(500)
            #expect(settling.judge(path, file, now: taken, time: time) == .take)
            // Another file of its folder has its turn a little later.
            #expect(settling.judge(path, file, now: taken + .milliseconds(10), time: time) != .take)
            let end = taken + .milliseconds(20)
            settling.worked(on: path, file, isFinal: true, at: end)
            if looksAgain { #expect(settling.judge(path, file, now: end + .seconds(1), time: time) == .pass) }
            #expect(settling.waitingCount == 0)
        }
        // What it has become meanwhile is waited for.
        var settling = Settling()
        #expect(settling.judge(path, entry(20, at: time, 5), now: start, time: time) != .take)
        settling.worked(on: path, file, isFinal: true, at: start)
        #expect(settling.waitingCount == 1)
    }

    @Test func aFileOfTheFutureIsTakenWhenItStaysTheSame() {
        var settling = Settling()
        let future = entry(10, at: time + 86_400)
        #expect(settling.judge(path, future, now: start, time: time) != .take)
        #expect(settling.judge(path, future, now: start + .seconds(1), time: time) == .take)
    }

    @Test func aFileThatIsWrittenAllDayIsRenderedLessAndLess() {
        var settling = Settling()
        var now = start
        var rendered = 0
        // It differs in every look, of which there are ten a second for an hour.
        for look in 0..<36_000 {
            now += .milliseconds(100)
            // Its time is old: nothing but the back-off holds it.
            if settling.judge(path, entry(Int64(look), at: time - 100), now: now, time: time) == .take {
                rendered += 1
                settling.worked(on: path, entry(Int64(look), at: time - 100), isFinal: true, at: now)
            }
        }
        // After 1, 2, 4 … 900 s, then every quarter of an hour.
        #expect((10...16).contains(rendered), "\(rendered)")
        #expect(settling.judge(path, entry(-1, at: time - 100), now: now + .seconds(3601), time: time) == .take)
    }

    @Test func afterAQuietTimeAFileIsTakenAtOnceAgain() {
        var back = BackOff<Int>(shortest: .seconds(1), longest: .seconds(100))
        #expect(back.earliest(1) == nil)
        back.done(1, at: start)
        #expect(back.earliest(1) == start + .seconds(1))
        back.done(1, at: start + .seconds(1))
        #expect(back.earliest(1) == start + .seconds(3))
        // Eight seconds are four times its pause: it begins anew.
        back.done(1, at: start + .seconds(10))
        #expect(back.earliest(1) == start + .seconds(11))
    }

    @Test func backOffRemembersNoMoreThanItMay() {
        var back = BackOff<Int>(shortest: .seconds(1), longest: .seconds(100), capacity: 8)
        for key in 0..<1000 { back.done(key, at: start) }
        #expect(back.count <= 8)
        for key in 0..<4 { back.done(key, at: start + .seconds(500)) }
        for key in 0..<4 { back.done(key, at: start + .seconds(501)) }
        for key in 10..<15 { back.done(key, at: start + .seconds(501)) }
        // Those that come again and again are the last to be forgotten.
        #expect(back.earliest(0) == start + .seconds(503))
    }

    @Test func whatWasWorkedOnAsItIsIsPassedOverForAMoment() {
        var settling = Settling()
        let old = entry(1, at: time - 10)
        #expect(settling.judge(path, old, now: start, time: time) == .take)
        #expect(!settling.hasRenewed(path, old))
        settling.worked(on: path, old, isFinal: true, at: start)
        #expect(settling.hasRenewed(path, entry(2, at: time - 10)))
        #expect(settling.judge(path, old, now: start + .seconds(2), time: time) == .pass)
        // Another content is no repetition, and later it may be asked for again.
        #expect(settling.judge(path, entry(2, at: time - 10), now: start + .seconds(2), time: time) == .take)
        #expect(settling.judge(path, old, now: start + .seconds(20), time: time) == .take)
        // Its preview is good for it, also when nobody could be told for longer than that.
        #expect(!settling.hasRenewed(path, old))
        settling.worked(on: path, old, isFinal: false, at: start + .seconds(20))
        #expect(settling.hasRenewed(path, old))
    }

    @Test func whatFailedForAPassingReasonIsTakenAgainAfterItsPause() {
        var settling = Settling()
        let old = entry(1, at: time - 10)
        let next = settling.worked(on: path, old, isFinal: false, at: start)
        #expect(settling.judge(path, old, now: start, time: time) == .wait(until: next))
        #expect(settling.judge(path, old, now: next, time: time) == .take)
    }
}

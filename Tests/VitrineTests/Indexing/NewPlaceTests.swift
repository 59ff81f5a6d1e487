import Testing
import VitrineKit

@testable import Vitrine

/// Times of files at the new place of a moved source.
@Suite struct NewPlaceTests {
    private static let time = Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_321)

    @Test(arguments: [
        Timestamp(seconds: 1_700_000_000), Timestamp(seconds: 1_700_000_001),
        Timestamp(seconds: 1_700_000_001, nanoseconds: 980_000_000),
        Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_000),
        Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_300), time,
    ]) func `a storage that counts in larger steps tells the same time`(_ other: Timestamp) {
        #expect(NewPlace.agree(Self.time, other) && NewPlace.agree(other, Self.time))
    }

    @Test(arguments: [
        Timestamp(seconds: 1_700_000_002), Timestamp(seconds: 1_699_999_998),
        Timestamp(seconds: 1_700_000_001, nanoseconds: 980_000_001),
        Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_320),
        Timestamp(seconds: 1_700_000_001, nanoseconds: 990_000_000),
    ]) func `every other time is another one`(_ other: Timestamp) {
        #expect(!NewPlace.agree(Self.time, other) && !NewPlace.agree(other, Self.time))
    }

    @Test func `times before 1970 are rounded down, too, and the first and the last one are`() {
        #expect(NewPlace.agree(Timestamp(seconds: -3, nanoseconds: 5), Timestamp(seconds: -4)))
        #expect(!NewPlace.agree(Timestamp(seconds: -3, nanoseconds: 5), Timestamp(seconds: -2)))
        #expect(!NewPlace.agree(Timestamp(seconds: .min, nanoseconds: 999_999_999), Timestamp(seconds: .max)))
    }
}

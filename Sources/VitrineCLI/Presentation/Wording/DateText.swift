import Glibc
import VitrineKit

/// Moments as people and programs read them.
enum DateText {
    /// In the user's time zone: `2025-01-31 09:05`.
    static func short(_ moment: Timestamp) -> String { text(moment, "%Y-%m-%d %H:%M", localtime_r) }

    /// ISO 8601 in UTC: `2025-01-31T08:05:00Z`.
    static func exact(_ moment: Timestamp) -> String { text(moment, "%Y-%m-%dT%H:%M:%SZ", gmtime_r) }

    private static func text(
        _ moment: Timestamp, _ format: String,
        _ parts: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> String {
        var seconds = time_t(moment.seconds)
        var fields = tm()
        guard parts(&seconds, &fields) != nil else { return "?" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
            guard let start = room.baseAddress, strftime(start, room.count, format, &fields) > 0 else { return "?" }
            return String(cString: start)
        }
    }
}

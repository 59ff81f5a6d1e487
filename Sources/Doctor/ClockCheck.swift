import Glibc

/// Whether times can be believed: a preview is valid while its file's time is the one that it was made for.
struct ClockCheck {
    /// Seconds since 1970.
    var now: Int
    /// When this program was built, at the latest.
    var built: Int
    /// How far the cache's file system is ahead, in seconds.
    var cacheAhead: Int?
    /// Entries that are dated in the future.
    var entriesInFuture: Int

    init(now: Int, built: Int, cacheAhead: Int?, entriesInFuture: Int) {
        self.now = now
        self.built = built
        self.cacheAhead = cacheAhead
        self.entriesInFuture = entriesInFuture
    }

    init(cache: CacheCheck) {
        var program = stat()
        let built = stat("/proc/self/exe", &program) == 0 ? program.st_mtim.tv_sec : 0
        self.init(
            now: time(nil), built: built, cacheAhead: cache.clockAhead, entriesInFuture: cache.entriesInFuture)
    }

    var findings: [Finding] {
        var findings: [Finding] = []
        // A day: the program may have been built in another time zone by a machine that knew none.
        if now < built - 86_400 {
            findings.append(
                Finding(
                    .clock, "clock", .problem, "it says \(Self.date(now)), which is before this program was built",
                    advice: "set the clock: previews of newer files would be made again and again"))
        } else {
            findings.append(Finding(.clock, "clock", .ok, Self.date(now)))
        }
        if let cacheAhead, abs(cacheAhead) > 2 {
            let direction = cacheAhead > 0 ? "ahead" : "behind"
            findings.append(
                Finding(
                    .clock, "cache", .warning, "its file system is \(abs(cacheAhead)) s \(direction) of this machine",
                    advice: "let both keep the same time (NTP)"))
        }
        if entriesInFuture > 0 {
            findings.append(
                Finding(
                    .clock, "thumbnails", .warning, "\(entriesInFuture) entries are dated in the future",
                    advice: "the clock was ahead when they were made; they stay valid, and are purged late"))
        }
        return findings
    }

    /// A day in UTC.
    private static func date(_ seconds: Int) -> String {
        var seconds = seconds
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "an impossible date" }
        let room = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room -> String in
            guard let start = room.baseAddress, strftime(start, 32, "%Y-%m-%d", &parts) > 0 else { return "?" }
            return String(cString: start)
        }
        return room
    }
}

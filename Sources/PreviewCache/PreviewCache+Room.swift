import Glibc

extension PreviewCache {
    /// Whether there is room for a preview.
    public enum Reservation: Hashable, Sendable {
        /// It is reserved. So much is taken now, the reservation included.
        case granted(total: Int64)
        /// The limit would be exceeded. So much is taken now.
        case full(total: Int64)
        /// Nothing was counted yet; ``collect(_:onRemoved:)`` counts.
        case uncounted
        /// The account cannot be kept: the folder cannot be written to.
        case unavailable
    }

    /// Reserves room for one entry, among all processes. Takes some 10 µs, or less during a run, which takes it ahead.
    /// - Parameters:
    ///   - bytes: as ``room(forPicture:)`` computes it.
    ///   - limit: the quota.
    public func reserve(_ bytes: Int64, within limit: Int64) -> Reservation {
        if let total = ahead.take(bytes) { return .granted(total: total) }
        let piece = ahead.piece(of: limit)
        if piece > bytes, case .granted(let total) = reserveInFile(bytes + piece, within: limit) {
            accountInFile(-ahead.add(piece, total: total))
            return .granted(total: total)
        }
        let answer = reserveInFile(bytes, within: limit)
        guard case .full = answer, giveBackAhead() else { return answer }
        return reserveInFile(bytes, within: limit)
    }

    /// From now on room is taken ahead, until as many calls of ``endRun()`` were made as of this.
    public func beginRun() { ahead.begin() }

    /// Gives back what was taken ahead, after the last run.
    public func endRun() { accountInFile(-ahead.end()) }

    /// Gives back what was taken ahead, as long as nothing is stored: before entries are counted, for example.
    /// - Returns: whether there was anything.
    @discardableResult
    public func giveBackAhead() -> Bool {
        let rest = ahead.drain()
        accountInFile(-rest)
        return rest > 0
    }

    private func reserveInFile(_ bytes: Int64, within limit: Int64) -> Reservation {
        usage.update { usage -> Reservation in
            guard let known = usage else { return .uncounted }
            let (total, overflow) = known.bytes.addingReportingOverflow(bytes)
            guard !overflow, total <= limit else { return .full(total: known.bytes) }
            usage?.bytes = total
            return .granted(total: total)
        } ?? .unavailable
    }

    /// Gives back what was reserved and not used.
    public func release(_ bytes: Int64) { account(-bytes) }

    /// Bytes that an entry takes on the disk at most.
    /// - Parameter count: bytes of its picture.
    public func room(forPicture count: Int) -> Int64 {
        // The keys: a URI has at most three bytes for each of a path's 4,096, the rest is a few hundred.
        EntryRecord.occupied(Int64(count) + 1024) + 4096
    }

    /// What Vitrine's entries take, as far as it is known; `nil` when nothing was counted yet.
    public var knownUsage: Int64? { usage.read()?.bytes }

    /// When the entries were counted, in seconds since 1970; `nil` when they never were.
    public var lastCount: Int64? { usage.read()?.counted }

    /// Adds to the account, or takes away.
    func account(_ bytes: Int64) { accountInFile(ahead.settle(bytes)) }

    private func accountInFile(_ bytes: Int64) {
        guard bytes != 0 else { return }
        usage.update { usage in
            guard let known = usage else { return }
            let (total, overflow) = known.bytes.addingReportingOverflow(bytes)
            usage?.bytes = overflow ? .max : max(0, total)
        }
    }

    /// What an entry of Vitrine's takes that is about to be replaced.
    func occupiedByOurs(_ path: String) -> Int64 {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        guard path.hasPrefix(standard.root + "/"), !path.hasPrefix(standard.failFolder + "/") else {
            return EntryRecord.occupied(Int64(status.st_size))
        }
        var facts = EntryFacts()
        guard case .complete = PNGTextReader.read(path, { facts.see($0, $1) }), facts.isOurs else { return 0 }
        return EntryRecord.occupied(Int64(status.st_size))
    }

    /// Leaves a trace that an entry was used: its times become now, at most once a day.
    ///
    /// Whether an entry is valid is decided by what stands inside, so that its own times are free for this, and serve
    /// where a file system keeps no access times. Desktops that purge thumbnails go by one of the two.
    func markUsed(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, Self.isOld(status, 86_400) else { return }
        utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
    }
}

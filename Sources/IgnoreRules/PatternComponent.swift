/// What a pattern says of one name on a path, or the `**` between names.
struct PatternComponent: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case byte(UInt8)
        /// `?`
        case anyByte
        /// `*`
        case anyBytes
        /// `[…]`, by its place in ``sets``.
        case oneOf(Int32)
    }

    /// Whether it is `**`: any number of folders, also none.
    var isAnyFolders = false
    private(set) var parts: [Part] = []
    private var sets: [ByteSet] = []
    /// Bytes that a name has at least.
    private var minimumCount = 0
    private var hasStar = false

    var isEmpty: Bool { parts.isEmpty && !isAnyFolders }

    /// Whether it is `.` or `..`.
    var isDots: Bool { 1...2 ~= parts.count && parts.allSatisfy { $0 == .byte(UInt8(ascii: ".")) } }

    /// The byte that every name begins with, if it is always the same.
    var firstByte: UInt8? { if case .byte(let byte) = parts.first { byte } else { nil } }

    /// The byte that every name ends in, if it is always the same.
    var lastByte: UInt8? { if case .byte(let byte) = parts.last { byte } else { nil } }

    mutating func append(_ part: Part) {
        if part == .anyBytes {
            // Two stars are one.
            if parts.last == .anyBytes { return }
            hasStar = true
        } else {
            minimumCount += 1
        }
        parts.append(part)
    }

    mutating func append(_ set: ByteSet) {
        sets.append(set)
        append(.oneOf(Int32(sets.count - 1)))
    }

    /// Whether a name is matched as a whole.
    ///
    /// A star that was passed is never looked at again once a later one is reached: what lies between two stars is
    /// best matched as early as possible. So there are at most as many steps as the product of both lengths.
    /// - Parameters:
    ///   - path: where the name stands.
    ///   - name: its range.
    ///   - steps: grows with the work.
    func matches(_ path: [UInt8], _ name: Range<Int>, _ steps: inout Int) -> Bool {
        steps += 1
        guard name.count >= minimumCount, hasStar || name.count == minimumCount else { return false }
        // Most patterns end in a suffix that most names have not.
        if let lastByte, path[name.upperBound - 1] != lastByte { return false }
        var (part, place) = (0, name.lowerBound)
        var star: (part: Int, place: Int)?
        while place < name.upperBound {
            steps += 1
            if part < parts.count {
                if parts[part] == .anyBytes {
                    part += 1
                    if part == parts.count { return true }
                    star = (part, place)
                    continue
                }
                if matches(parts[part], path[place]) {
                    part += 1
                    place += 1
                    continue
                }
            }
            guard let last = star else { return false }
            star = (last.part, last.place + 1)
            (part, place) = (last.part, last.place + 1)
        }
        return part == parts.count || (part == parts.count - 1 && parts[part] == .anyBytes)
    }

    private func matches(_ part: Part, _ byte: UInt8) -> Bool {
        switch part {
        case .byte(let wanted): byte == wanted
        case .anyByte, .anyBytes: true
        case .oneOf(let set): sets[Int(set)].contains(byte)
        }
    }
}

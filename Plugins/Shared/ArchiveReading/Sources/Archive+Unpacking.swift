package import VitrineKit

extension ArchiveMember {
    /// Where it is found again, as a number: its upper two bits say what the others count.
    package var placeNumber: UInt64 {
        switch place {
        case .number(let number): UInt64(clamping: number) & Self.mask
        case .offset(let offset): 1 << 62 | UInt64(clamping: offset) & Self.mask
        case .header(let offset): 2 << 62 | UInt64(clamping: offset) & Self.mask
        }
    }

    /// Whether it is read from its own place, and not by way of those before it.
    package var isDirect: Bool {
        if case .number = place { return false }
        return true
    }

    /// The part of the archive that its content lies in, about, where that is one piece.
    package var extent: Range<Int64>? {
        guard let packed else { return nil }
        switch place {
        case .number: return nil
        case .offset(let start), .header(let start):
            let (end, overflow) = start.addingReportingOverflow(packed)
            return start >= 0 && packed >= 0 && !overflow ? start..<end : nil
        }
    }

    private static let mask: UInt64 = 1 << 62 - 1

    fileprivate static func place(_ number: UInt64) -> Place? {
        let rest = number & mask
        return switch number >> 62 {
        case 0: .number(Int(rest))
        case 1: .offset(Int64(rest))
        case 2: .header(Int64(rest))
        default: nil
        }
    }
}

/// Unpacks members whose places were told before, without listing the archive again.
package struct ArchiveUnpacking {
    private let input: any RandomAccessInput
    private let limits: ArchiveLimits

    /// Begins with an archive.
    package init(_ input: any RandomAccessInput, limits: ArchiveLimits) {
        self.input = input
        self.limits = limits
    }

    /// Goes once through the archive, as far as the last member that is wanted.
    /// - Parameters:
    ///   - places: as ``ArchiveMember/placeNumber`` told them, in the archive's order; what makes no sense is left out.
    ///   - use: is given a place and its content; returns whether to go on.
    /// - Throws: as ``Archive/contents(of:limit:)``, and what `use` throws. A content whose checksum or size is wrong throws
    ///   `corrupt`.
    package func forEach(
        _ places: [UInt64],
        _ use: (UInt64, _ content: (any MemberWriter) throws(PluginError) -> Void) throws(PluginError) -> Bool
    ) throws(PluginError) {
        var numbers: Set<Int> = []
        for number in places {
            switch ArchiveMember.place(number) {
            case .offset(let offset):
                guard try use(number, { (writer) throws(PluginError) in try unpack(.zip, offset, writer) })
                else { return }
            case .header(let offset):
                guard try use(number, { (writer) throws(PluginError) in try unpack(.tar, offset, writer) })
                else { return }
            case .number(let count): numbers.insert(count)
            case nil: continue
            }
        }
        guard let last = numbers.max() else { return }
        // A zip file without a list, as it was walked through when it was listed.
        let kind: ArchiveStream.Kind = try Archive.beginsAsZip(input.head(4)) ? .zip : .any
        let stream = try ArchiveStream(input, kind, limits: limits)
        for number in 0...last {
            guard try stream.next() != nil else { return }
            guard numbers.contains(number) else { continue }
            let goesOn = try use(UInt64(number)) { (writer) throws(PluginError) in
                try Self.write(stream, limits, to: writer)
            }
            guard goesOn else { return }
        }
    }

    private func unpack(
        _ kind: ArchiveStream.Kind, _ offset: Int64, _ writer: any MemberWriter
    ) throws(PluginError) {
        let stream = try ArchiveStream(input, kind, from: offset, limits: limits)
        guard try stream.next() != nil else {
            throw PluginError(.corrupt, "the archive has no member where its list says")
        }
        try Self.write(stream, limits, to: writer)
    }

    /// Unpacks the member that a walk has come to. One that is damaged is refused: somebody may keep it as a copy.
    private static func write(
        _ stream: ArchiveStream, _ limits: ArchiveLimits, to writer: any MemberWriter
    ) throws(PluginError) {
        try stream.forEachBlock(limit: limits.member, isStrict: true) { (bytes) throws(PluginError) in
            try writer.write(bytes)
        }
    }
}

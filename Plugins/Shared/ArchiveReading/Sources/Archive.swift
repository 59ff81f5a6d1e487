package import VitrineKit

/// The list of an archive's members, and their contents one by one. Archives inside of it are files like any other.
///
/// Zip files are listed by the directory at their end, and each member is read from its own place: two or three reads
/// for one picture, wherever the file lies. The others are walked through, by leaps where they are not packed as a
/// whole. Used on one thread, during one call of a renderer.
package struct Archive {
    /// All members, in the archive's own order; those up to the limit when there are more.
    package let members: [ArchiveMember]
    /// What ended the list too early; `nil` when it is complete.
    package let failure: PluginError?
    /// Whether these are all.
    package var isWhole: Bool { failure == nil }

    /// Why a member is not among those that are listed: where the list ended too early, it may be behind its end.
    /// - Parameter reason: what is said of an archive whose list is complete.
    package func lacks(_ reason: PluginError) -> PluginError { failure ?? reason }

    /// Whether a file's first bytes are those of a zip file with something in it.
    package static func beginsAsZip(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

    /// Whether it is a zip file.
    package var isZip: Bool { kind == .zip }

    private let input: any RandomAccessInput
    private let limits: ArchiveLimits
    private let kind: ArchiveStream.Kind

    /// Lists an archive.
    /// - Throws: `empty` for no bytes, `corrupt` when it is no archive or nothing of it can be listed, `locked` when
    ///   even its names are, `limitExceeded`, or what the input throws.
    package init(_ input: any RandomAccessInput, limits: ArchiveLimits = ArchiveLimits()) throws(PluginError) {
        try input.checkNotEmpty("the archive")
        self.input = input
        self.limits = limits
        if let zip = try ZipMembers(input, limits: limits) {
            members = zip.members
            failure = zip.isWhole ? nil : Self.cut(members.count)
            kind = .zip
            return
        }
        // A zip file whose list is damaged still has its members one after the other.
        kind = try Self.beginsAsZip(input.head(4)) ? .zip : .any
        (members, failure) = try Self.walked(input, kind, limits)
    }

    /// What can be listed by going through. An archive that is cut off has the members before the cut.
    private static func walked(
        _ input: any RandomAccessInput, _ kind: ArchiveStream.Kind, _ limits: ArchiveLimits
    ) throws(PluginError) -> ([ArchiveMember], PluginError?) {
        let stream = try ArchiveStream(input, kind, limits: limits)
        var members: [ArchiveMember] = []
        do throws(PluginError) {
            while let member = try stream.next() {
                guard members.count < limits.members else { return (members, Self.cut(members.count)) }
                members.append(member)
                // To look for another one would be to unpack it.
                if stream.holdsOneFile { break }
            }
        } catch {
            guard !members.isEmpty, error.code == .corrupt || error.code == .limitExceeded else { throw error }
            return (members, error)
        }
        return (members, nil)
    }

    private static func cut(_ count: Int) -> PluginError {
        PluginError(.limitExceeded, "the archive has more than the \(count) members that are listed")
    }

    /// The content of a member.
    /// - Parameters:
    ///   - member: one of ``members``.
    ///   - limit: the most bytes of it; at most the archive's own limit.
    /// - Throws: `locked`, `corrupt`, `limitExceeded`, or what the input throws.
    package func contents(of member: ArchiveMember, limit: Int = .max) throws(PluginError) -> [UInt8] {
        let limit = min(limit, limits.member)
        // More than the list says is a lie, and not looked at.
        if let size = member.size, size < Int64(limit) {
            return try stream(at: member).contents(limit: Int(size), isListed: true)
        }
        return try stream(at: member).contents(limit: limit)
    }

    /// The first bytes of a member; what follows them is not unpacked.
    /// - Parameter count: how many at most.
    /// - Throws: as ``contents(of:limit:)``; of a member that is cut off behind these bytes nothing.
    package func beginning(of member: ArchiveMember, count: Int) throws(PluginError) -> [UInt8] {
        let stream = try stream(at: member)
        var bytes: [UInt8] = []
        do throws(PluginError) {
            try stream.forEachBlock(limit: .max) { block throws(PluginError) in
                bytes += block.prefix(count - bytes.count)
                if bytes.count == count { throw PluginError(.cancelled, "enough of the member is unpacked") }
            }
        } catch { guard bytes.count == count else { throw error } }
        return bytes
    }

    /// A walk that has come to a member.
    private func stream(at member: ArchiveMember) throws(PluginError) -> ArchiveStream {
        if member.isEncrypted { throw ArchiveStream.locked }
        let stream: ArchiveStream
        var before = 0
        switch member.place {
        case .offset(let offset): stream = try ArchiveStream(input, .zip, from: offset, limits: limits)
        case .header(let offset): stream = try ArchiveStream(input, .tar, from: offset, limits: limits)
        case .number(let number):
            stream = try ArchiveStream(input, kind, limits: limits)
            before = number
        }
        for _ in 0...before { guard try stream.next() != nil else { throw Self.gone(member) } }
        return stream
    }

    /// Walks once through the archive and hands over what is wanted of it.
    /// - Parameters:
    ///   - wanted: members of ``members``.
    ///   - limit: the most bytes of one; larger ones are left out.
    ///   - use: gets a member's position in `wanted` and its content; returns whether to go on.
    /// - Throws: what the input throws. Members that cannot be unpacked are left out.
    package func forEach(
        of wanted: [ArchiveMember], limit: Int, _ use: (Int, [UInt8]) throws(PluginError) -> Bool
    ) throws(PluginError) {
        var numbers: [Int: Int] = [:]
        for (position, member) in wanted.enumerated() {
            switch member.place {
            case .offset, .header:
                let bytes = try unlessDamaged { () throws(PluginError) in try contents(of: member, limit: limit) }
                guard let bytes else { continue }
                guard try use(position, bytes) else { return }
            case .number(let number): numbers[number] = position
            }
        }
        guard let last = numbers.keys.max() else { return }
        let stream = try ArchiveStream(input, kind, limits: limits)
        for number in 0...last {
            let found = try unlessDamaged { () throws(PluginError) in try stream.next() }
            guard found != nil else { return }
            guard let position = numbers[number],
                let bytes = try unlessDamaged({ () throws(PluginError) in
                    try stream.contents(limit: min(limit, limits.member))
                })
            else { continue }
            guard try use(position, bytes) else { return }
        }
    }

    /// `nil` for what lies in the archive itself.
    private func unlessDamaged<R>(_ body: () throws(PluginError) -> R?) throws(PluginError) -> R? {
        do throws(PluginError) { return try body() } catch {
            guard [.corrupt, .locked, .limitExceeded, .unsupported].contains(error.code) else { throw error }
            return nil
        }
    }

    private static func gone(_ member: ArchiveMember) -> PluginError {
        PluginError(.corrupt, "'\(DisplayText.of(member.name))' is listed in the archive, but not where the list says")
    }
}

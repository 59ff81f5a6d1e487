internal import CArchive
internal import Glibc
internal import VitrineKit

/// A walk through the members of an archive, from the first to the last; the one owner of libarchive's object.
final class ArchiveStream {
    /// What is taken for an archive.
    enum Kind {
        /// Every kind that is known.
        case any
        /// The members of a zip file one after the other, without its list.
        case zip
        /// The members of a tar file that is not packed.
        case tar
        /// The one file that was packed by itself, whatever it is.
        case packed
    }

    private var archive: OpaquePointer
    private var source: ArchiveSource
    private let input: any RandomAccessInput
    private let kind: Kind
    private let limits: ArchiveLimits
    /// Bytes that may still be unpacked.
    private var allowance: Int64
    private var count = 0
    /// Whether a member's limit is what the archive's list says of it.
    private var isLimitListed = false
    /// Whether a kind was found. Before, libarchive 3.6 asks a format beyond the end of its table for its abilities.
    private var isOpen = false
    private var entry: OpaquePointer?

    /// Opens an archive.
    /// - Throws: `corrupt` when it is none, `locked`, `limitExceeded` without memory, or what the input throws.
    init(
        _ input: any RandomAccessInput, _ kind: Kind = .any, from start: Int64 = 0, limits: ArchiveLimits
    ) throws(PluginError) {
        guard let archive = archive_read_new() else { throw Self.noMemory }
        self.archive = archive
        self.limits = limits
        self.input = input
        self.kind = kind
        allowance = limits.unpacked
        source = ArchiveSource(input, start: start)
        try open(kind)
    }

    /// Opens ``source`` as ``archive``, which is new.
    private func open(_ kind: Kind) throws(PluginError) {
        switch kind {
        case .any:
            ArchiveLibrary.addFilters(archive)
            ArchiveLibrary.addFormats(archive)
        case .zip: archive_read_support_format_zip_streamable(archive)
        case .tar: archive_read_support_format_tar(archive)
        case .packed:
            ArchiveLibrary.addFilters(archive)
            archive_read_support_format_raw(archive)
        }
        archive_read_set_read_callback(archive) { _, owner, block in
            ArchiveSource.from(owner)?.read(block) ?? Int(ARCHIVE_FATAL)
        }
        archive_read_set_skip_callback(archive) { _, owner, count in ArchiveSource.from(owner)?.skip(count) ?? 0 }
        if kind == .any {
            archive_read_set_seek_callback(archive) { _, owner, offset, origin in
                ArchiveSource.from(owner)?.seek(offset, origin) ?? Int64(ARCHIVE_FATAL)
            }
        }
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(source).toOpaque())
        try check(archive_read_open1(archive))
        isOpen = true
    }

    deinit { archive_read_free(archive) }

    /// Goes to the next member.
    /// - Returns: `nil` after the last one.
    /// - Throws: as ``init(_:_:from:limits:)``, and `limitExceeded` when what lies before it unpacks to too much.
    func next() throws(PluginError) -> ArchiveMember? {
        if entry != nil, isPacked { try passOver() }
        Self.forgetFailures()
        var result = archive_read_next_header(archive, &entry)
        if kind == .any, count == 0, isPackedFile {
            try openPacked()
            result = archive_read_next_header(archive, &entry)
        }
        if result == ARCHIVE_EOF { return nil }
        try check(result)
        source.isOfUse()
        guard let entry else { return nil }
        // Anything at all is taken for one packed file, unless there was something to unpack.
        if archive_format(archive) == ARCHIVE_FORMAT_RAW, archive_filter_count(archive) < 2 { throw Self.noArchive }
        defer { count += 1 }
        let size = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil
        Self.forgetFailures()
        let isSecondName = archive_entry_hardlink(entry) != nil
        var member = ArchiveMember(
            name: name(of: entry), size: size.map { max(0, $0) }, isFile: carchive_is_file(entry) != 0,
            isFolder: carchive_is_folder(entry) != 0, isEncrypted: archive_entry_is_encrypted(entry) != 0,
            place: place)
        member.isLink = isSecondName || carchive_is_link(entry) != 0
        if archive_entry_mtime_is_set(entry) != 0 {
            member.modified = Timestamp(
                seconds: Int64(archive_entry_mtime(entry)),
                nanoseconds: UInt32(clamping: archive_entry_mtime_nsec(entry)))
        }
        if case .header = place { member.packed = member.size.map { $0 &+ Self.tarHeaders } }
        return member
    }

    /// Whether the archive is a file that was packed once more by itself (report.docx.gz): as a whole it is a document, and
    /// from its beginning to its end it could not be listed either.
    private var isPackedFile: Bool {
        archive_filter_count(archive) > 1
            && Self.neverPacked.contains(archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK)
    }

    /// Kinds that pack their members themselves.
    private static let neverPacked: Set<CInt> = [
        ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_7ZIP, ARCHIVE_FORMAT_RAR, ARCHIVE_FORMAT_RAR_V5, ARCHIVE_FORMAT_CAB,
        ARCHIVE_FORMAT_LHA, ARCHIVE_FORMAT_XAR,
    ]

    /// Begins anew with what is packed as one file.
    private func openPacked() throws(PluginError) {
        guard let other = archive_read_new() else { throw Self.noMemory }
        archive_read_free(archive)
        (archive, entry, isOpen) = (other, nil, false)
        source = ArchiveSource(input, start: 0)
        try open(.packed)
    }

    /// Whether what the walk goes through is no archive, but one file that is packed.
    var holdsOneFile: Bool { count > 0 && archive_format(archive) == ARCHIVE_FORMAT_RAW }

    /// Bytes of headers before a member of a tar file, mostly; more where its name is long.
    private static let tarHeaders: Int64 = 2048

    private var isTar: Bool { archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR }

    /// Where the member that the walk has come to is found again.
    private var place: ArchiveMember.Place {
        guard isTar, archive_filter_count(archive) < 2 else { return .number(count) }
        return .header(archive_read_header_position(archive))
    }

    /// The content of the member that the walk has come to.
    /// - Parameter isListed: whether the limit is the size that the archive's list has for it.
    /// - Throws: `limitExceeded`, or `corrupt` for the size of a list, when it is larger than `limit`; `locked`, `corrupt`, or what
    ///   the input throws.
    func contents(limit: Int, isListed: Bool = false) throws(PluginError) -> [UInt8] {
        guard let entry else { return [] }
        isLimitListed = isListed
        if archive_entry_is_encrypted(entry) != 0 { throw Self.locked }
        let claimed = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : 0
        guard claimed <= Int64(limit) else { throw tooLarge(limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(max(0, claimed)))
        try forEachBlock(limit: limit) { bytes += $0 }
        return bytes
    }

    /// The content of the member that the walk has come to, block by block.
    /// - Parameter isStrict: refuses what its checksum or its size proves wrong, after it has been handed over. Default: it
    ///   is taken as it is, since a damaged picture still shows something.
    /// - Throws: as ``contents(limit:isListed:)``, and what `use` throws.
    func forEachBlock(
        limit: Int, isStrict: Bool = false, _ use: (UnsafeRawBufferPointer) throws(PluginError) -> Void
    ) throws(PluginError) {
        guard let entry else { return }
        if archive_entry_is_encrypted(entry) != 0 { throw Self.locked }
        var done = 0
        var block: UnsafeRawPointer?
        var size = 0
        var offset: Int64 = 0
        while true {
            // Rather than archive_read_data, which keeps the last bytes back where their checksum is wrong.
            let result = archive_read_data_block(archive, &block, &size, &offset)
            if result == ARCHIVE_EOF {
                // A hole at the end of a file in a tar file has no block behind it. Others mean other things by it.
                guard isTar, offset > Int64(done) else { return }
                guard offset <= Int64(limit) else { throw tooLarge(limit) }
                return try Self.fill(Int(offset) - done, use)
            }
            if result == ARCHIVE_RETRY { continue }
            try check(result)
            if isStrict, result == ARCHIVE_WARN { throw damaged }
            // Holes are left out by some kinds.
            guard size >= 0, offset >= Int64(done), offset <= Int64(limit), size <= limit - Int(offset) else {
                throw tooLarge(limit)
            }
            try Self.fill(Int(offset) - done, use)
            done = Int(offset)
            try use(UnsafeRawBufferPointer(start: block, count: size))
            done += size
            try spend(size)
        }
    }

    /// Hands over a hole.
    private static func fill(
        _ count: Int, _ use: (UnsafeRawBufferPointer) throws(PluginError) -> Void
    ) throws(PluginError) {
        var rest = count
        while rest > 0 {
            let hole = min(rest, zeroes.count)
            try zeroes.withUnsafeBytes { zeroes in
                Result { () throws(PluginError) in try use(UnsafeRawBufferPointer(rebasing: zeroes[..<hole])) }
            }.get()
            rest -= hole
        }
    }

    private static let zeroes = [UInt8](repeating: 0, count: 64 << 10)

    /// Whether passing over a member means unpacking it.
    private var isPacked: Bool {
        archive_filter_count(archive) > 1 || Self.solid.contains(archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK)
    }

    private static let solid: Set<CInt> = [ARCHIVE_FORMAT_7ZIP, ARCHIVE_FORMAT_CAB]

    /// Unpacks what is left of a member, and counts it.
    private func passOver() throws(PluginError) {
        var block: UnsafeRawPointer?
        var size = 0
        var offset: Int64 = 0
        while true {
            let result = archive_read_data_block(archive, &block, &size, &offset)
            if result == ARCHIVE_EOF { return }
            // What cannot be unpacked may still be followed by others.
            if result == ARCHIVE_FAILED || result == ARCHIVE_RETRY { return }
            if result != ARCHIVE_WARN { try check(result) }
            try spend(size)
        }
    }

    private func spend(_ count: Int) throws(PluginError) {
        if count > 0 { source.isOfUse() }
        allowance -= Int64(count)
        guard allowance >= 0 else {
            throw PluginError(
                .limitExceeded, "the archive unpacks to more than the \(limits.unpacked >> 20) MiB that are looked at")
        }
        let unpacked = limits.unpacked - allowance
        guard unpacked > ArchiveLimits.freely, limits.ratio < .max else { return }
        // What was read of the input, before anything was unpacked.
        guard unpacked / limits.ratio <= max(1, archive_filter_bytes(archive, -1)) else {
            throw PluginError(
                .limitExceeded,
                "the archive unpacks to more than \(limits.ratio) times its size, which only bombs do")
        }
    }

    /// Asked for a name that it cannot write in this locale, libarchive looks at `errno`, which it does not set, and ends the
    /// process where that says since long ago that there was no memory.
    private static func forgetFailures() { errno = 0 }

    private func name(of entry: OpaquePointer) -> [UInt8] {
        Self.forgetFailures()
        let name = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
        guard let name else { return [] }
        return UnsafeBufferPointer(start: name, count: min(limits.name, strlen(name))).map { UInt8(bitPattern: $0) }
    }

    private func tooLarge(_ limit: Int) -> PluginError {
        isLimitListed
            ? PluginError(
                .corrupt, "a file in the archive has more than the \(limit) bytes that its list says: it is damaged")
            : PluginError(
                .limitExceeded, "a file in the archive is larger than the \(limit >> 20) MiB that are unpacked")
    }

    private static let noMemory = PluginError(.limitExceeded, "there is no memory to read the archive")
    static let noArchive = PluginError(.corrupt, "the file is no archive of a kind that is known")
    static let locked = PluginError(.locked, "the archive needs a password")

    /// Translates libarchive's status.
    private func check(_ status: CInt) throws(PluginError) {
        // A warning is about a name, a date or a checksum; the member is there.
        guard status != ARCHIVE_OK, status != ARCHIVE_WARN else { return }
        if let failure = source.failure { throw failure }
        if isOpen, archive_read_has_encrypted_entries(archive) > 0 { throw Self.locked }
        if archive_errno(archive) == ENOMEM {
            throw PluginError(.limitExceeded, "unpacking the archive needs more memory than the renderer may use")
        }
        throw PluginError(.corrupt, "the archive cannot be read (libarchive: \(reason ?? "status \(status)"))")
    }

    /// What libarchive said last.
    private var reason: String? { archive_error_string(archive).map { DisplayText.of(String(cString: $0)) } }

    /// Why a member that was unpacked is not what was packed.
    private var damaged: PluginError {
        PluginError(
            .corrupt, "a file in the archive is damaged (libarchive: \(reason ?? "its checksum or its size is wrong"))")
    }
}

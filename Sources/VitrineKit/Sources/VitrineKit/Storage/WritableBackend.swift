/// A backend that can be written to: an optional ability.
///
/// A file comes into being in one step. It is written under a hidden name, one of ``UnfinishedName``, which listings show and
/// copying passes over (or, where the storage knows unfinished uploads, under none), and gets its own name when all of it is there. Whatever happens before
/// leaves nothing that anybody would take for the file.
///
/// Conforming types pass `WritableConformance` of VitrineTesting, which is the contract in code.
public protocol WritableBackend: StorageBackend {
    /// What can be relied on when this source is written to. Costs nothing; does not change.
    var writing: WritingAbilities { get }

    /// Makes one folder.
    /// - Parameter path: the folder; the one above it is there.
    /// - Throws: `exists` when something has that name, `notFound` when there is no folder above, `forbidden`, `noSpace`,
    ///   `offline` …
    func makeFolder(_ path: ItemPath) async throws(PluginError)

    /// Begins to write a file, or goes on where an earlier transaction with the same token was left.
    /// - Parameters:
    ///   - path: what the file will be called; its folder is there.
    ///   - draft: what is known of it.
    /// - Throws: `notFound` when there is no folder above, `noSpace` when it is known that it does not fit, `forbidden`,
    ///   `limitExceeded` when the storage holds no such file, `offline` …
    func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction
}

/// What can be relied on when a source is written to.
public struct WritingAbilities: Hashable, Sendable {
    /// Whether a transaction that was left half-way is gone on with, also by another process. Default: no.
    public var resumes = false
    /// Whether files keep the time of their last change that the draft names. Default: no.
    public var keepsTimes = false
    /// Whether ``WriteCondition/ifAbsent`` is decided in the moment of the commit by the storage itself. Where it is not,
    /// the backend or the server looks just before. Default: yes.
    public var decidesAbsence = true
    /// Whether a file is replaced without a moment in which there is neither the old nor the new one. Default: yes.
    public var replacesAtOnce = true
    /// Which checksums the storage computes of what it was sent, and that are compared before a file gets its name.
    /// Default: none.
    public var checksums: [Checksum.Algorithm] = []
    /// The largest file that it takes; `nil` when none is known.
    public var maximumFileSize: Int64?
    /// The most bytes of a name. Default: 255.
    public var maximumNameBytes = 255

    /// Creates the defaults.
    public init() {}
}

/// What is known of a file before it is written.
public struct FileDraft: Hashable, Sendable {
    /// Bytes of content; `nil` when only its end will tell. No more than these are appended.
    public var size: Int64?
    /// When its content last changed.
    public var modified: Timestamp?
    /// Its MIME type.
    public var contentType: String?
    /// Stands for the content: whoever writes with the same token into the same folder writes the same bytes. 1 to 64 of
    /// `a-z 0-9`. `nil` when nothing is to be gone on with.
    public var token: String?

    /// Creates a draft.
    public init(
        size: Int64? = nil, modified: Timestamp? = nil, contentType: String? = nil, token: String? = nil
    ) {
        self.size = size
        self.modified = modified
        self.contentType = contentType
        self.token = token
    }
}

/// A file that is being written, and that nobody sees yet.
///
/// ``append(_:at:)`` and ``commit(_:content:)`` are called one after the other. ``suspend()`` and ``abandon()`` may be called at
/// any time, also while another call is under way that is not waited for any more, and wait for that one. When the last
/// reference goes without any of them, it is as if it was suspended.
public protocol WriteTransaction: Sendable {
    /// How many bytes from the start are there already, from an earlier transaction; the first call appends at this
    /// offset. 0 for a new file.
    var kept: Int64 { get }

    /// Adds bytes behind those that are there.
    /// - Parameters:
    ///   - bytes: 1 or more, of any number.
    ///   - offset: how many bytes are before them, so that nothing is written twice or left out.
    /// - Throws: `invalidArgument` for another offset, or for more than the draft's size; `noSpace`, `offline` …
    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError)

    /// Gives the file its name, once it is kept safe. Nothing can be done with the transaction then.
    /// - Parameters:
    ///   - condition: whether another file may be replaced.
    ///   - content: checksums of all that was appended, of the kinds that ``WritingAbilities/checksums`` names, as far as
    ///     they are known; what the storage says of its bytes is compared with them.
    /// - Returns: what the storage says of it.
    /// - Throws: `exists` when something else has the name and may not be replaced, `changed` when what is there is not
    ///   what was appended, `invalidArgument` when bytes are missing. Nothing has changed under the name then.
    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile

    /// Leaves it half-way, to be gone on with. Where the source does not resume, the same as ``abandon()``.
    func suspend() async

    /// Takes away all that was written.
    func abandon() async
}

extension WriteTransaction {
    /// Takes away all that was written.
    public func suspend() async { await abandon() }
}

/// Under which condition a file gets its name.
public enum WriteCondition: Sendable {
    /// Only if nothing has that name.
    case ifAbsent
    /// In place of a file that has that name, or if nothing has.
    case replacing
}

/// What a storage says of a file that was just written.
public struct WrittenFile: Hashable, Sendable {
    /// The checksum that the storage computed itself, and that was compared.
    public var checksum: Checksum?
    /// How many of the bytes that were appended had been there already and were not sent again.
    public var reused: Int64

    /// Creates an answer.
    public init(checksum: Checksum? = nil, reused: Int64 = 0) {
        self.checksum = checksum
        self.reused = reused
    }
}

/// Names of files that are not whole yet, in storages that have to call them something.
public enum UnfinishedName {
    private static let prefix = Array(".vitrine-part-".utf8)

    /// The name of what is being written: hidden, and the same for the same token.
    /// - Parameter token: that of a draft; by default one of its own.
    public static func of(_ token: String?) -> [UInt8] {
        let own = String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
        let isSound = token.map { 1...64 ~= $0.utf8.count && $0.utf8.allSatisfy(isLetter) } ?? false
        return prefix + Array((isSound ? token ?? own : "x" + own).utf8)
    }

    /// Whether a name is one of these: such files are not copied, and nothing else is called so.
    public static func matches(_ name: [UInt8]) -> Bool {
        name.starts(with: prefix) && name.count > prefix.count && name.dropFirst(prefix.count).allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

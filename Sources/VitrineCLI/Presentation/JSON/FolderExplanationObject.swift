import Timing
import Vitrine
import VitrineKit

/// What a folder holds, and what listing it costs, as `explain --json` tells it; `docs/json.md` describes it.
struct FolderExplanationObject: Encodable {
    var uri: String
    var files: Int
    var folders: Int
    var links: Int
    var others: Int
    var omissions: [Omission]?
    var storage: StorageObject?
    var archive: ArchiveObject?
    var milliseconds: Double

    /// Something that was left out of the list.
    struct Omission: Encodable {
        var code: String
        var reason: String
    }

    init(_ explanation: FolderExplanation) {
        uri = explanation.uri
        files = explanation.counts[.file] ?? 0
        folders = explanation.counts[.folder] ?? 0
        links = explanation.counts[.link] ?? 0
        others = explanation.counts[.special] ?? 0
        if !explanation.omissions.isEmpty {
            omissions = explanation.omissions.map { Omission(code: $0.code.rawValue, reason: $0.message) }
        }
        storage = explanation.storage.map(StorageObject.init)
        archive = explanation.archive.map(ArchiveObject.init)
        milliseconds = explanation.time.milliseconds
    }
}

/// What a storage was asked for.
struct StorageObject: Encodable {
    var backend: String
    var version: String
    var found: Requests
    var afterwards: Requests

    /// What was asked for at a time.
    struct Requests: Encodable {
        var requests: Int
        var retries: Int
        var bytes: Int64
        var milliseconds: Double

        init(_ traffic: Traffic) {
            (requests, retries, bytes) = (traffic.requests, traffic.retries, traffic.bytesReceived)
            milliseconds = traffic.time.milliseconds
        }
    }

    init(_ storage: ExplainedStorage) {
        (backend, version) = (storage.backend.id, storage.backend.version)
        (found, afterwards) = (Requests(storage.found), Requests(storage.afterwards))
    }
}

/// The archive that something lies in.
struct ArchiveObject: Encodable {
    var reader: String
    var version: String
    var members: Int
    var refused: Int
    var sequential: Bool
    var code: String?
    var reason: String?
    var requests: Int?
    var bytesRead: Int64?

    init(_ archive: ExplainedArchive) {
        (reader, version) = (archive.reader.id, archive.reader.version)
        (members, refused, sequential) = (archive.members, archive.refused, archive.isSequential)
        (code, reason) = (archive.failure?.code.rawValue, archive.failure?.message)
        (requests, bytesRead) = (archive.traffic?.requests, archive.traffic?.bytes)
    }
}

extension Duration {
    /// To the microsecond.
    var milliseconds: Double { (inSeconds * 1e6).rounded() / 1000 }
}

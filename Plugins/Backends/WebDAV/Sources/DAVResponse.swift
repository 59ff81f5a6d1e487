import Transfer
import VitrineKit

/// What a server says about one thing (RFC 4918, section 14.24).
struct DAVResponse {
    /// Its address, as it was written.
    var href = ""
    /// A status of the whole, where nothing else is said.
    var status: Int?
    var isFolder = false
    var size: Int64?
    var modified: Timestamp?
    /// As it was written, weak or not.
    var etag: String?
    var contentType: String?
    var identifier: UInt64?
    /// Asked for by themselves only: some servers read the whole file to tell them.
    var checksums: [Checksum] = []

    /// The entry of an item.
    func entry(named name: [UInt8]) -> Entry {
        var entry = Entry(name: name, kind: isFolder ? .folder : .file, modified: modified)
        entry.identifier = identifier
        entry.etag = etag.map(ResponseHead.version)
        if !isFolder {
            entry.size = size
            entry.contentType = contentType
        }
        return entry
    }

    /// Throws what a status means that stands instead of properties.
    func check(_ path: ItemPath) throws(PluginError) {
        guard let status, !(200..<300).contains(status) else { return }
        let code: PluginError.Code = status == 404 || status == 410 ? .notFound : status == 403 ? .forbidden : .io
        throw PluginError(code, "the server tells nothing of \(path.shown) (status \(status))")
    }
}

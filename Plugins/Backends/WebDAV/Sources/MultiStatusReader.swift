import Transfer
import VitrineKit
import XML

/// Reads what a server answers to PROPFIND (RFC 4918, section 14.16), part by part.
struct MultiStatusReader {
    private let reader: XMLReader
    private let subject: String
    private var open: [XMLName] = []
    private var response: DAVResponse?
    /// Properties of one status; only those that were found count.
    private var found = DAVResponse()
    private var foundStatus: Int?
    private var text = ""

    /// - Parameter subject: what is read, for sentences.
    init(_ subject: String) {
        self.subject = subject
        reader = XMLReader(subject)
    }

    /// Takes a part.
    /// - Parameter part: `nil` at the end.
    /// - Returns: what it completes.
    /// - Throws: `io` when it is no such answer.
    mutating func responses(from part: [UInt8]?) throws(PluginError) -> [DAVResponse] {
        var complete: [DAVResponse] = []
        for event in try events(part) {
            switch event {
            case .start(let name, _):
                guard !open.isEmpty || name == Self.dav("multistatus") else {
                    throw PluginError(.io, "\(subject) is something else than WebDAV tells: is it such a server?")
                }
                begin(name)
                open.append(name)
                text = ""
            case .text(let part): text = part
            case .end(let name):
                open.removeLast()
                end(name)
                if open.count == 1, name == Self.dav("response"), let whole = response {
                    complete.append(whole)
                    response = nil
                }
                text = ""
            }
        }
        return complete
    }

    private func events(_ part: [UInt8]?) throws(PluginError) -> [XMLEvent] {
        do throws(PluginError) {
            return try reader.events(from: part ?? [], isLast: part == nil)
        } catch {
            // Corrupt is what an item is; a server may do better next time.
            throw PluginError(error.code == .corrupt ? .io : error.code, error.message)
        }
    }

    private mutating func begin(_ name: XMLName) {
        switch (name, open.count) {
        case (Self.dav("response"), 1): response = DAVResponse()
        case (Self.dav("propstat"), 2): (found, foundStatus) = (DAVResponse(), nil)
        case (Self.dav("collection"), 5) where open[4] == Self.dav("resourcetype"): found.isFolder = true
        default: break
        }
    }

    private mutating func end(_ name: XMLName) {
        let value = text.trimmed
        switch open.count {
        case 2 where name == Self.dav("href"): if response?.href.isEmpty == true { response?.href = value }
        case 2 where name == Self.dav("status"): response?.status = Self.status(value)
        case 2 where name == Self.dav("propstat"): takeFound()
        case 3 where name == Self.dav("status"): foundStatus = Self.status(value)
        case 4 where open[3] == Self.dav("prop") && !value.isEmpty: property(name, value)
        case 5 where open[4] == Self.own("checksums"): found.checksums += Self.checksums(value)
        default: break
        }
    }

    /// Reads `SHA1:… MD5:…`.
    private static func checksums(_ text: String) -> [Checksum] {
        text.split(separator: " ").compactMap { word in
            guard let colon = word.firstIndex(of: ":") else { return nil }
            let algorithm = Checksum.Algorithm(rawValue: word[..<colon].lowercased())
            return Checksum(algorithm, hexadecimal: word[word.index(after: colon)...])
        }
    }

    private mutating func property(_ name: XMLName, _ value: String) {
        switch name {
        case Self.dav("getcontentlength"): found.size = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
        case Self.dav("getlastmodified"): found.modified = HTTPDate.parse(value)
        case Self.dav("getetag"): found.etag = value
        case Self.dav("getcontenttype"): found.contentType = value
        case Self.own("fileid"): found.identifier = UInt64(value)
        default: break
        }
    }

    private mutating func takeFound() {
        guard let status = foundStatus, 200..<300 ~= status, var whole = response else { return }
        whole.isFolder = whole.isFolder || found.isFolder
        whole.size = found.size ?? whole.size
        whole.modified = found.modified ?? whole.modified
        whole.etag = found.etag ?? whole.etag
        whole.contentType = found.contentType ?? whole.contentType
        whole.checksums += found.checksums
        whole.identifier = found.identifier ?? whole.identifier
        response = whole
    }

    /// The number in `HTTP/1.1 200 OK`; without one nothing is believed.
    private static func status(_ line: String) -> Int {
        line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 500
    }

    /// What ownCloud and Nextcloud, and servers that do as they do, tell besides.
    private static func own(_ local: String) -> XMLName { XMLName("http://owncloud.org/ns", local) }

    private static func dav(_ local: String) -> XMLName { XMLName("DAV:", local) }
}

import JSON
import Transfer
import VitrineKit

/// Box's interface: what is asked of it, and what its answers mean.
struct BoxService: IdentifiedStorage {
    let place: BoxPlace
    let client: TransferClient
    let access: TokenAccess

    /// The folder that everything of a user lies in.
    let root = "0"

    /// A page of 1000 items has about half a megabyte.
    private static let longestPage: Int64 = 8 << 20
    private static let longestItem: Int64 = 1 << 20
    private static let pageLength = 1000

    func children(of folder: String, after mark: String?) async throws(PluginError) -> IdentifiedPage {
        let purpose = "cannot list a folder of Box"
        let page = try await ask(
            "folders/\(try Self.checked(folder))/items?usemarker=true&limit=\(Self.pageLength)"
                + "&fields=\(IdentifiedItem.boxFields)"
                + (mark.map { "&marker=" + PercentEncoding.encodeComponent($0.utf8) } ?? ""),
            purpose: purpose, Self.longestPage)
        guard let entries = page["entries"]?.list else { throw senseless(purpose, "it holds no list of entries") }
        var items: [IdentifiedItem] = []
        for entry in entries {
            guard let item = IdentifiedItem(box: entry) else {
                throw senseless(purpose, "an entry of it lacks a name or id, or has a size that is none")
            }
            items.append(item)
        }
        let next: String? =
            switch page["next_marker"] {
            case nil, .null?, .text("")?: nil
            case .text(let mark)?: mark
            // The documentation says text, older answers were numbers.
            case let other?: other.integer.map { "\($0)" }
            }
        if next == nil, let mark = page["next_marker"], mark != .null, mark != .text("") {
            throw senseless(purpose, "the mark of its next page is none")
        }
        return IdentifiedPage(items: items, next: next)
    }

    func item(_ id: String, kind: Entry.Kind) async throws(PluginError) -> IdentifiedItem {
        let kinds = kind == .folder ? "folders" : kind == .file ? "files" : "web_links"
        let purpose = "cannot look at an item of Box"
        let answer = try await ask(
            "\(kinds)/\(try Self.checked(id))?fields=\(IdentifiedItem.boxFields)", purpose: purpose, Self.longestItem)
        guard let item = IdentifiedItem(box: answer), item.id == id else {
            throw senseless(purpose, "it lacks a name, is about something else, or has a size that is none")
        }
        return item
    }

    /// Asks where a file's content is handed out: an address that holds for some minutes and needs no token.
    /// - Parameter version: the version that is wanted.
    func download(of id: String, version: String?, purpose: String) async throws(PluginError) -> TransferURL {
        let query = version.map { "?version=" + PercentEncoding.encodeComponent($0.utf8) } ?? ""
        var request = try request("files/\(try Self.checked(id))/content\(query)", purpose: purpose)
        request.accepted = { [301, 302, 303, 307, 308].contains($0) }
        request.maximumBytes = Self.longestItem
        let client = client
        let head = try await access.run(request) { (request) throws(PluginError) in
            try await client.collect(request).head
        }
        guard let location = head.value("location") else {
            throw senseless(purpose, "it says to look elsewhere, and not where")
        }
        return try place.download(location, purpose)
    }

    private func ask(_ path: String, purpose: String, _ limit: Int64) async throws(PluginError) -> JSONValue {
        var request = try request(path, purpose: purpose)
        request.maximumBytes = limit
        let client = client
        let body = try await access.run(request) { (request) throws(PluginError) in
            try await client.collect(request).body
        }
        guard let answer = JSONValue(body) else {
            throw senseless(purpose, "it is no JSON, or is nested deeper or has more values than makes sense")
        }
        return answer
    }

    private func request(_ path: String, purpose: String) throws(PluginError) -> TransferRequest {
        var request = TransferRequest(try place.url(path), purpose: purpose)
        request.set("Accept", "application/json")
        let server = place.service.server
        request.explain = { head, body in Self.explain(head.status, JSONValue(body), "\(purpose): '\(server)'") }
        return request
    }

    /// What an error of Box means where its code says more than the status.
    private static func explain(_ status: Int, _ answer: JSONValue?, _ subject: String) -> PluginError? {
        guard let code = answer?["code"]?.text else { return nil }
        let said = DisplayText.of(String(code.prefix(60)))
        switch (status, code) {
        case (403, "storage_limit_exceeded"): return PluginError(.noSpace, "\(subject) has no space left")
        case (403, "access_denied_item_locked"):
            return PluginError(.forbidden, "\(subject) says that somebody has locked it")
        case (403, _): return PluginError(.forbidden, "\(subject) does not allow it to this user (\(said))")
        case (404, "trashed"), (410, _): return PluginError(.notFound, "\(subject) has it in the trash")
        default: return nil
        }
    }

    private func senseless(_ purpose: String, _ why: String) -> PluginError {
        PluginError(.io, "\(purpose): the answer of '\(place.service.server)' makes no sense: \(why)")
    }

    // MARK: Ids and marks

    /// Whether a byte may stand in an id of Box.
    static func isOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// An id that becomes a part of an address.
    /// - Throws: `io` for one that would make another address of it.
    private static func checked(_ id: String) throws(PluginError) -> String {
        guard 1...64 ~= id.utf8.count, id.utf8.allSatisfy(isOfID) else {
            throw PluginError(.io, "Box calls an item '\(DisplayText.of(String(id.prefix(64))))', which is no id")
        }
        return id
    }
}

import JSON
import Transfer
import VitrineKit

extension IdentifiedItem {
    /// What is asked for of each item.
    static let boxFields = "type,id,name,size,etag,content_modified_at,modified_at,file_version,parent"

    /// What Box tells of an item: a file, a folder, or a link to a page of the web.
    /// - Returns: `nil` when it makes no sense.
    init?(box item: JSONValue) {
        guard let id = item["id"]?.text, !id.isEmpty, let name = item["name"]?.text, let type = item["type"]?.text
        else {
            return nil
        }
        let kind: Entry.Kind = type == "folder" ? .folder : type == "file" ? .file : .special
        var entry = Entry(name: Array(name.utf8), kind: kind)
        if kind == .file {
            // A size that is none must not be taken for one that is not known.
            if let size = item["size"], size != .null {
                guard let size = size.integer, size >= 0 else { return nil }
                entry.size = size
            }
            let time = item["content_modified_at"]?.text ?? item["modified_at"]?.text
            entry.modified = time.flatMap { HTTPDate.parse($0) }
            // The version's id changes with the content, the item's own mark with its name, too.
            entry.etag = item["file_version"]?["id"]?.text ?? item["etag"]?.text.map { "etag-" + $0 }
        }
        self.init(id: id, parent: item["parent"]?["id"]?.text, entry: entry)
    }
}

extension Entry {
    /// The version of Box that a mark of ``IdentifiedItem/init(box:)`` stands for, if it is one.
    var boxVersion: String? {
        guard let etag, !etag.isEmpty, etag.utf8.count <= 64, etag.utf8.allSatisfy(BoxService.isOfID) else {
            return nil
        }
        return etag.hasPrefix("etag-") ? nil : etag
    }
}

import Vitrine
import VitrineKit

extension FuzzTarget {
    private static let uriWords = [
        "file:", "//", "%2F", "%00", "%", "?", "#", "..", "/./", "\u{301}", "\r\n", "s3://", "@", ":", "%C3%A4",
    ]

    /// The URI of a source.
    static let sourceURI = FuzzTarget(
        name: "source-uri", maximumLength: 2048, words: uriWords,
        check: { bytes in
            let uri: SourceURI
            do throws(PluginError) { uri = try SourceURI(String(decoding: bytes, as: UTF8.self)) } catch {
                return try error.mustBe(.invalidArgument)
            }
            try hold(uri.text.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "a URI is not printable ASCII: \(uri.text)")
            try hold(!uri.path.contains(0), "a path holds a NUL byte")
            let again = try SourceURI(uri.text)
            try hold(again == uri, "'\(uri.text)' changed when it was read again, to '\(again.text)'")
            // Nothing of what was given gets lost: the decoded path is what the bytes say.
            try hold(uri.path == plainPath(bytes), "the path of '\(uri.text)' is not what was given")
            let item = try ItemPath([0x61, 0xFF, UInt8(ascii: "?"), 0x2F, UInt8(ascii: "%")])
            let below = try SourceURI(uri.appending(item))
            let slash: [UInt8] = uri.path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
            try hold(below.path == uri.path + slash + item.bytes, "an item's path is not below '\(uri.text)'")
            try hold(below.query == uri.query && below.authority == uri.authority, "an item is in another place")
        })

    /// The path of a URI as RFC 3986 takes it apart, without regard to characters.
    private static func plainPath(_ bytes: [UInt8]) -> [UInt8] {
        // As text, since a URI is one: what is not UTF-8 is replaced before it is looked at.
        let bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
        var rest = bytes[...].drop { $0 != UInt8(ascii: ":") }.dropFirst().prefix { $0 != UInt8(ascii: "?") }
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
        while rest.count > 1, rest.last == UInt8(ascii: "/") { rest.removeLast() }
        return PercentEncoding.decode(String(decoding: rest, as: UTF8.self)) ?? []
    }

    /// What people write on a command line, as a place in a source.
    static let itemLocation = FuzzTarget(
        name: "item-location", maximumLength: 2048, words: uriWords,
        check: { bytes in
            let uri: SourceURI
            do throws(PluginError) {
                uri = try ItemLocation.parse(
                    bytes, workingFolder: Array("/home/u".utf8), schemes: ["file", "s3", "mail"])
            } catch { return try error.mustBe(.invalidArgument) }
            if uri.scheme == "file" {
                let parts = uri.path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                try hold(parts.first?.isEmpty == true, "'\(uri.text)' is not absolute")
                let rest = uri.path == [UInt8(ascii: "/")] ? [] : parts.dropFirst()
                let isPlain = rest.allSatisfy {
                    !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
                }
                try hold(isPlain, "'\(uri.text)' has components that mean something")
                try hold(uri.text == "file://" + PercentEncoding.encode(uri.path), "'\(uri.text)' has another spelling")
            }
            let location: ItemLocation
            do throws(PluginError) { location = try ItemLocation(item: uri) } catch {
                return try error.mustBe(.invalidArgument)
            }
            try hold(!location.path.bytes.contains(UInt8(ascii: "/")), "an item's name holds a slash")
            try hold(location.source.scheme == uri.scheme, "the folder has another scheme than its item")
            try hold(location.source.authority == uri.authority, "the folder of '\(uri.text)' is on another host")
            try hold(location.source.query == uri.query, "the folder of '\(uri.text)' has another query")
            let again = try SourceURI(location.uri)
            var whole = uri.path
            // `drive:a.pdf` is `a.pdf` in `drive:`, and so `drive:/a.pdf`.
            if !whole.contains(0x2F), let colon = whole.dropFirst().firstIndex(of: 0x3A) {
                whole.insert(0x2F, at: colon + 1)
            }
            let (path, expected) = (again.path.drop { $0 == 0x2F }, whole.drop { $0 == 0x2F })
            // Doubled slashes are not kept; what stands between them is.
            try hold(
                path.split(separator: 0x2F) == expected.split(separator: 0x2F),
                "'\(uri.text)' became '\(location.uri)', another item")
            try hold(again.authority == uri.authority, "'\(uri.text)' became '\(location.uri)', on another host")
        })

    /// What people write of places in archives.
    static let archiveAddress = FuzzTarget(
        name: "archive-address", maximumLength: 2048,
        seeds: {
            [
                "photos.zip", "/a b.zip!/ü 1.jpg", "file:///a%21/b.zip!/c!/d.jpg", "s3://b/a.zip!/c?endpoint=https://h",
                "s3://b/a.zip?endpoint=https://h!/c", "mail:inbox/a.zip!",
            ].map { Array($0.utf8) }
        },
        words: uriWords + ["archive:", "!/", "!", "%21", "..", "a.zip!/b"],
        check: { bytes in
            func parse(_ text: some Sequence<UInt8>) throws(PluginError) -> SourceURI {
                try ItemLocation.parse(
                    Array(text), workingFolder: Array("/home/u".utf8), schemes: ["file", "s3", "mail", "archive"])
            }
            let uri: SourceURI
            let location: ItemLocation
            do throws(PluginError) {
                uri = try parse(Array("archive:".utf8) + bytes)
                location = try ItemLocation(item: uri)
            } catch { return try error.mustBe(.invalidArgument) }
            try hold(uri.scheme == "archive" && uri.authority == nil, "'\(uri.text)' is no URI of an archive")
            try hold(location.uri == uri.text, "'\(uri.text)' became '\(location.uri)', another member")
            try hold(try parse(uri.text.utf8) == uri, "'\(uri.text)' is another place when it is read again")
            try hold(location.source.query == uri.query, "the archive of '\(uri.text)' has another query")
        })

    /// Paths that a backend answers.
    static let itemPath = FuzzTarget(
        name: "item-path", maximumLength: 2048, words: ["/", "..", ".", "//", "/../", "\0"],
        check: { bytes in
            let path: ItemPath
            do throws(PluginError) { path = try ItemPath(bytes) } catch { return try error.mustBe(.invalidArgument) }
            try hold(path.bytes == bytes, "the bytes of a path changed")
            try path.description.mustBeShowable("a path")
            let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            for part in parts where !path.isRoot {
                try hold(!part.isEmpty && !part.elementsEqual("..".utf8), "a path climbs")
            }
            guard let parent = path.parent else { return try hold(path.isRoot, "only the root has no parent") }
            try hold(try parent.appending(path.name) == path, "a name in its folder is another path")
            try hold(path.name == Array(parts.last ?? []), "the name is not the last component")
            var steps = 0
            var current: ItemPath? = path
            while let folder = current?.parent { (current, steps) = (folder, steps + 1) }
            try hold(steps == parts.count, "\(parts.count) components are \(steps) folders deep")
        })

    /// Percent-encoding, which keys of the cache are made of.
    static let percentEncoding = FuzzTarget(
        name: "percent-encoding", maximumLength: 4096, words: ["%", "%00", "%2f", "%2F", "%zz", "%C3%A4"],
        check: { bytes in
            let encoded = PercentEncoding.encode(bytes)
            try hold(encoded.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "'\(encoded)' is not printable ASCII")
            try hold(encoded.utf8.count <= 3 * bytes.count, "it grew more than threefold")
            if !bytes.contains(0) {
                try hold(PercentEncoding.decode(encoded) == bytes, "bytes changed on the way")
            } else {
                try hold(PercentEncoding.decode(encoded) == nil, "a NUL byte came through")
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let decoded = PercentEncoding.decode(text) else { return }
            try hold(decoded.count <= text.utf8.count && !decoded.contains(0), "decoding made more of it")
            try hold(PercentEncoding.decode(PercentEncoding.encode(decoded)) == decoded, "decoding is not stable")
        })
}

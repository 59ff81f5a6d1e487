@testable import PluginHost

extension FuzzTarget {
    private static let magic: [MagicPattern] = {
        let json = """
            {"id":"a","version":"1","abi":1,"kind":"renderer","library":"a.so","types":["application/pdf","image/webp",
            "application/gpx+xml","application/geo+json"],
            "magic":[{"type":"application/pdf","offset":0,"bytes":"255044462d","within":1024},
            {"type":"image/webp","offset":8,"bytes":"57454250","and":[{"offset":0,"bytes":"52494646"}]},
            {"type":"application/gpx+xml","xml":"gpx"},
            {"type":"application/geo+json","json":{"type":"FeatureCollection"}}]}
            """
        return (try? PluginManifest(json: Array(json.utf8), file: "plugin.json"))?.magic ?? []
    }()

    /// What tells the type of every item. The bytes up to the first NUL byte are the name, the rest is the head.
    static let typeSniffer = FuzzTarget(
        name: "type-sniffer", maximumLength: MagicPattern.reach + 256,
        fixtures: ["office", "bad", "pdf/plain.pdf", "image/plain.avif"], fixturePrefix: Array("a.doc\0".utf8),
        seeds: {
            let zip: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0] + [UInt8](repeating: 0, count: 20) + [8, 0, 0, 0]
            return [
                Array("a.docx\0".utf8) + zip + Array("mimetype".utf8), Array("a.pdf\0%PDF-1.7\n".utf8),
                Array("notes.md\0# Words\n".utf8),
                Array("a.xml\0<?xml version=\"1.0\"?><!DOCTYPE a [<!-- b -->]><!-- c --><a:gpx b=\"c\">".utf8),
                Array("a.json\0{\"a\":[1,{\"b\":\"\\\"\"}],\"type\":\"FeatureCollection\",".utf8),
                Array("a.xls\0".utf8) + [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            ]
        },
        words: [
            "<!--", "-->", "<?", "?>", "<!DOCTYPE", "<gpx ", "\"type\":", "\"FeatureCollection\"", "PK\u{3}\u{4}",
            "mimetype", "word/", "xl/", "[Content_Types].xml", "%PDF-", "/", ".",
        ],
        check: { bytes in
            try hold(magic.count == 4, "the patterns of the test could not be read")
            let name = Array(bytes.prefix { $0 != 0 })
            let head = Array(bytes.dropFirst(name.count + 1))
            let sniffer = TypeSniffer(magic: magic)
            let size = Int64(head.count)
            let found = sniffer.type(head: head, name: name, size: size)
            for type in [found, sniffer.type(name: name)] {
                try hold(ManifestText.isMIMEType(type.mimeType), "'\(type.mimeType)' is no MIME type")
            }
            try hold(sniffer.type(head: head, name: name, size: size) == found, "two answers for the same item")
            let long = head + [UInt8](repeating: 0x20, count: TypeSniffer.headSize)
            let short = Array(long.prefix(TypeSniffer.headSize))
            try hold(
                sniffer.type(head: long, name: name, size: size) == sniffer.type(head: short, name: name, size: size),
                "more was looked at than is wanted")
            if found.found == .magic {
                try hold(magic.contains { $0.type == found.mimeType && $0.matches(head) }, "no pattern says so")
            }
            try hold(head.isEmpty == (found.mimeType == ContentType.empty), "only what is empty is empty")
            let other = ZipContents(head)
            try hold(other == nil || head.starts(with: [0x50, 0x4B, 3, 4]), "what is no zip was read as one")
            if let inside = other?.type(named: "image/png") {
                try hold(ManifestText.isMIMEType(inside), "'\(inside)' in a zip is no MIME type")
            }
        })
}

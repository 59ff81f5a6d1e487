import VitrineKit

/// The words by which people call types of files: `picture`, `docx`, `image/png`.
enum TypeWords {
    /// Words that mean several types, and these types.
    struct Family {
        /// The first is the one that is shown.
        var names: [String]
        /// MIME types. One that ends in a slash or a full stop is the beginning of several.
        var types: [String]
    }

    /// The families, in the order in which they are shown.
    static let families = [
        Family(names: ["pdf"], types: ["application/pdf"]),
        Family(
            names: ["image", "picture", "photo"],
            types: ["image/", "application/dicom", "application/x-nifti", "application/fits"]),
        Family(
            names: ["video", "movie", "film", "animation"],
            types: ["video/", "application/x-tgsticker", "application/zip+dotlottie"]),
        Family(names: ["audio", "music", "sound"], types: ["audio/"]),
        Family(
            names: ["office"],
            types: documents + spreadsheets + presentations + [
                "application/vnd.oasis.opendocument.", "application/vnd.openxmlformats-officedocument.",
                "application/vnd.sun.xml.", "application/vnd.ms-word.", "application/vnd.ms-excel.",
                "application/vnd.ms-powerpoint.",
            ]),
        Family(names: ["document"], types: ["application/pdf"] + documents),
        Family(names: ["spreadsheet", "workbook", "table"], types: spreadsheets + ["text/csv"]),
        Family(names: ["presentation", "slide"], types: presentations),
        Family(
            names: ["text"], types: ["text/", "application/json", "application/xml", "application/x-shellscript"]),
        Family(
            names: ["book", "ebook", "comic"],
            types: [
                "application/epub+zip", "application/x-fictionbook", "application/x-fictionbook+xml",
                "application/x-zip-compressed-fb2", "application/x-mobipocket-ebook",
                "application/vnd.amazon.mobi8-ebook", "application/vnd.comicbook+zip",
                "application/vnd.comicbook-rar", "application/x-cbz", "application/x-cbr", "application/x-cb7",
                "application/x-cbt",
            ]),
        Family(
            names: ["mail", "email", "message"],
            types: ["message/", "application/vnd.ms-outlook", "application/vnd.ms-tnef"]),
        Family(
            names: ["archive"],
            types: [
                "application/zip", "application/x-tar", "application/x-compressed-tar", "application/gzip",
                "application/x-bzip-compressed-tar", "application/x-bzip2-compressed-tar",
                "application/x-xz-compressed-tar", "application/x-zstd-compressed-tar", "application/x-bzip",
                "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-7z-compressed",
                "application/vnd.rar", "application/x-cd-image", "application/vnd.efi.iso", "application/x-cpio",
                "application/vnd.debian.binary-package", "application/x-rpm", "application/java-archive",
            ]),
        Family(
            names: ["font"],
            types: [
                "font/", "application/x-font-ttf", "application/x-font-otf", "application/x-font-type1",
                "application/x-font-pcf", "application/x-font-bdf", "application/font-woff",
                "application/vnd.ms-opentype", "application/x-dfont", "application/x-font-win",
            ]),
        Family(
            names: ["model", "3d"],
            types: [
                "model/", "application/x-ply", "application/vnd.autodesk.fbx", "image/x-3ds", "image/x-lwo",
                "application/x-amf", "application/x-blender", "application/vnd.sketchup.skp",
                "application/x-extension-fcstd", "application/x-extension-brep", "application/x-extension-ifc",
                "application/vnd.las",
            ]),
        Family(
            names: ["map", "track", "route"],
            types: [
                "application/gpx", "application/gpx+xml", "application/x-gpx", "application/x-gpx+xml",
                "application/vnd.garmin.tcx+xml", "application/vnd.google-earth.kml+xml",
                "application/vnd.google-earth.kmz", "application/geo+json", "application/vnd.geo+json",
                "application/vnd.ant.fit", "application/vnd.shp",
            ] + maps),
        Family(
            names: ["page", "website"], types: ["text/html", "application/xhtml+xml", "application/x-mimearchive"]),
        Family(
            names: ["database"],
            types: [
                "application/vnd.sqlite3", "application/x-sqlite3", "application/x-kexiproject-sqlite3",
                "application/x-dbf",
            ] + maps),
        Family(
            names: ["note", "handwriting"], types: ["application/x-xopp", "application/x-xojpp", "application/x-xoj"]),
        Family(
            names: ["certificate"],
            types: [
                "application/pkix-cert", "application/pkix-cert+pem", "application/x-x509-ca-cert",
                "application/x-x509-user-cert", "application/pkcs10", "application/pkcs10+pem", "application/pkix-crl",
                "application/pkix-crl+pem", "application/pkcs7-mime", "application/pkcs7-mime+pem",
                "application/x-pkcs7-certificates", "application/pkcs8", "application/pkcs8+pem",
                "application/pkcs8-encrypted", "application/x-pem-key", "application/x-pem-file",
            ]),
    ]

    /// Databases that are maps.
    private static let maps = ["application/geopackage+sqlite3", "application/vnd.mbtiles"]

    private static let documents = [
        "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text-template",
        "application/vnd.oasis.opendocument.text-flat-xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.", "application/msword",
        "application/msword-template", "application/vnd.ms-word.", "application/rtf", "application/vnd.wordperfect",
        "application/vnd.sun.xml.writer", "application/vnd.sun.xml.writer.", "application/vnd.stardivision.writer",
        "application/x-mswrite", "application/x-hwp-v3", "application/vnd.lotus-wordpro",
    ]
    private static let spreadsheets = [
        "application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet-template",
        "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.", "application/vnd.ms-excel",
        "application/vnd.ms-excel.", "application/vnd.sun.xml.calc", "application/vnd.sun.xml.calc.",
        "application/vnd.stardivision.calc", "application/vnd.lotus-1-2-3", "application/x-quattropro",
    ]
    private static let presentations = [
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.oasis.opendocument.presentation-template",
        "application/vnd.oasis.opendocument.presentation-flat-xml",
        "application/vnd.openxmlformats-officedocument.presentationml.", "application/vnd.ms-powerpoint",
        "application/vnd.ms-powerpoint.", "application/vnd.sun.xml.impress", "application/vnd.sun.xml.impress.",
        "application/vnd.stardivision.impress",
    ]

    /// The families' names, for sentences.
    static var shown: String { families.map { $0.names[0] }.joined(separator: ", ") }

    /// The MIME types that words mean.
    /// - Parameters:
    ///   - words: as they were typed, each one or several with commas: a family in the singular or plural, the end of
    ///     a name (`docx`, `.docx` or `*.docx`), a MIME type or a kind of them (`image/png`, `image/*`).
    ///   - typeOfName: what type a file of a name has.
    /// - Throws: `invalidArgument` with what can be said, for a word that means nothing.
    static func types(_ words: [[UInt8]], typeOfName: ([UInt8]) -> String) throws(PluginError) -> [String] {
        var types: [String] = []
        for word in words.flatMap({ $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }) {
            types += try self.types(String(decoding: word, as: UTF8.self).lowercased(), typeOfName)
        }
        return types
    }

    private static func types(
        _ word: String, _ typeOfName: ([UInt8]) -> String
    ) throws(PluginError) -> [String] {
        if word.contains("/") { return [word.hasSuffix("/*") ? String(word.dropLast()) : word] }
        if let family = families.first(where: { $0.names.contains { word == $0 || word == $0 + "s" } }) {
            return family.types
        }
        let suffix = word.hasPrefix("*.") ? word.dropFirst(2) : word.hasPrefix(".") ? word.dropFirst() : word[...]
        let type = typeOfName(Array("name.\(suffix)".utf8))
        // What a name without a known end is.
        if type != typeOfName(Array("name.".utf8)) { return [type] }
        let end = DisplayText.of(String(suffix))
        throw PluginError(
            .invalidArgument,
            "'\(DisplayText.of(word))' is no type; write \(shown), the end of a name that tells a type such as docx, or a MIME "
                + "type such as image/png. 'vitrine find .\(end)' finds what has it in its name")
    }
}

import CGIO

/// What the shared MIME database knows, asked through GIO. GIO guards its tables with a lock of its own, so every
/// function may be called from any task.
enum ContentType {
    /// Nothing is known.
    static let unknown = "application/octet-stream"
    /// No bytes at all.
    static let empty = "application/x-zerosize"
    /// Some text: not recognised, but without bytes that text does not have.
    static let text = "text/plain"

    /// The type of content alone.
    /// - Parameter head: its first bytes.
    static func of(_ head: [UInt8]) -> String {
        head.isEmpty ? empty : take(g_content_type_guess(nil, head, gsize(head.count), nil))
    }

    /// The type that a name says; where it could mean several, the content decides between them.
    static func of(name: [UInt8], _ head: [UInt8]) -> String {
        // One component without NUL, as GIO takes it; a last '/' would mean a folder to it.
        let component = (name.split(separator: UInt8(ascii: "/")).last ?? []).prefix { $0 != 0 }
        guard !component.isEmpty else { return unknown }
        let text = component.map { CChar(bitPattern: $0) } + [0]
        // Said of a name that means several types, and of one that means none.
        var isUncertain: gboolean = 0
        let byName = take(g_content_type_guess(text, nil, 0, &isUncertain))
        if byName == unknown || head.isEmpty && isUncertain != 0 { return type(ofEndingOf: component) ?? byName }
        if isUncertain == 0 || head.isEmpty { return byName }
        return take(g_content_type_guess(text, head, gsize(head.count), nil))
    }

    /// Every type that the database has, or that an ending says, in lower case.
    static var all: Set<String> {
        let list = g_content_types_get_registered()
        defer { g_list_free_full(list) { g_free($0) } }
        var types = Set(endings.map(\.1))
        var link = list
        while let here = link {
            if let text = here.pointee.data?.assumingMemoryBound(to: CChar.self) {
                types.insert(String(cString: text).lowercased())
            }
            link = here.pointee.next
        }
        return types
    }

    /// Endings that the database does not know, or takes for several types, with the one that nearly all files have.
    private static let endings = [
        // Before it, the database names drawings of tgif.
        ("obj", "model/obj"), ("ply", "application/x-ply"), ("ff", "image/x-farbfeld"),
        ("jxr", "image/jxr"), ("wdp", "image/jxr"), ("hdp", "image/jxr"),
        ("tgs", "application/x-tgsticker"), ("lottie", "application/zip+dotlottie"),
        ("dae", "model/vnd.collada+xml"), ("fbx", "application/vnd.autodesk.fbx"), ("3ds", "image/x-3ds"),
        ("x3d", "model/x3d+xml"), ("amf", "application/x-amf"), ("off", "model/x-off"),
        ("step", "model/step"), ("brep", "application/x-extension-brep"), ("ifc", "application/x-extension-ifc"),
        // Its first bytes are those of all resources of the Macintosh, be they fonts, sounds or code.
        ("dfont", "application/x-dfont"), ("fon", WindowsFont.type),
        ("tcx", "application/vnd.garmin.tcx+xml"), ("nii", "application/x-nifti"),
        ("xopp", "application/x-xopp"), ("xoj", "application/x-xojpp"),
    ]

    private static func type(ofEndingOf name: some Sequence<UInt8>) -> String? {
        let name = String(decoding: Array(name), as: UTF8.self).lowercased()
        return endings.first { name.hasSuffix("." + $0.0) }?.1
    }

    /// Whether two names mean one type.
    static func equal(_ a: String, _ b: String) -> Bool { g_content_type_equals(registered(a), registered(b)) != 0 }

    /// Whether a type is another one or a variety of it. Every type is a variety of `application/octet-stream`.
    static func isA(_ type: String, _ base: String) -> Bool {
        g_content_type_is_a(registered(type), registered(base)) != 0
    }

    /// A type as the database spells it. GIO compares letter by letter, MIME types do not (RFC 6838, section 4.2), so
    /// the few that are not in lower case there are put right.
    private static func registered(_ type: String) -> String {
        switch type {
        case "audio/amr": "audio/AMR"
        case "audio/amr-wb": "audio/AMR-WB"
        case "text/x-imelody": "text/x-iMelody"
        default: type.hasPrefix(microsoft) ? type.replacing("macroenabled", with: "macroEnabled") : type
        }
    }

    private static let microsoft = "application/vnd.ms-"

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return unknown }
        defer { g_free(text) }
        return String(cString: text)
    }
}

import VitrineKit

@testable import DatabaseRenderer
@testable import JPEGXRRenderer
@testable import LottieRenderer
@testable import ModelRenderer

extension FuzzTarget {
    private static let readLimit = 300_000

    /// What the entities of a building say of one another.
    static let stepReferences = FuzzTarget(
        name: "step-references", maximumLength: 1 << 13, fixtures: ["model/part.ifc"],
        seeds: {
            [
                "#1=IFCFACE((#2,#3));\r\n#2 /* a */ =\nIFCFACEBOUND( # 1, .T.);#3=(IFCA(#2)IFCB(#1));",
                "#1=IFCWALL('0000000000000000000001',#5,'it's #9',$,#2,'');\n#2=IFCRELVOIDSELEMENT('a',$,#1);",
            ].map { Array($0.utf8) }
        },
        words: [
            "#1", "#999999999999999999", "#134217727=", "=", "'", "\n", "/*", "*/", ";", "IFCREL", "IFCWALL(", "$,",
        ],
        check: { bytes in
            let checked = bytes.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try STEPReferences.check(bytes) }
            }
            if case .failure(let error) = checked { try error.mustBe(.corrupt) }
        })

    /// A database: its tables, their rows, and the tile of a map.
    static let database = FuzzTarget(
        name: "database", maximumLength: 1 << 16, fixtures: ["database"],
        words: [
            "CREATE TABLE ", "CREATE VIEW ", "WITHOUT ROWID", " AS (upper(title))", "UNIQUE", "\"", "tile_data",
            "zoom_level", "INTEGER PRIMARY KEY",
        ],
        check: { bytes in
            let input = CountedInput(bytes, limit: readLimit)
            do throws(PluginError) {
                let file = try DatabaseFile(input)
                let contents = try DatabaseContents(input, file)
                if contents.tables.isEmpty || contents.tables.count > 500 {
                    throw PluginError(.invalidAnswer, "there are \(contents.tables.count) tables")
                }
                let columns = contents.shown.columns.count
                if !(1...24 ~= columns) || contents.cells.contains(where: { $0.count != columns })
                    || contents.cells.count > 41 || contents.isNumeric.count != columns
                {
                    throw PluginError(.invalidAnswer, "the rows that are shown are not as long as the table is wide")
                }
                if contents.text.utf8.count > Facts.textLimit {
                    throw PluginError(.invalidAnswer, "the text is too long")
                }
            } catch {
                try hold(input.reads <= readLimit, "more than \(readLimit) reads of \(input.size) bytes")
                return try error.mustBe(.corrupt, .empty, .unsupported, .limitExceeded)
            }
            try hold(input.negativeOffsets == 0, "something before the beginning was read")
        })

    /// The directory of a JPEG XR file.
    static let extendedRange = FuzzTarget(
        name: "jpeg-xr-directory", maximumLength: 1 << 12,
        fixtures: ["image/plain.jxr", "image/alpha.jxr", "image/turned.jxr", "image/light.jxr"],
        words: ["\u{1}", "\u{4}\0\u{1}\0\0\0", "\0\0\0\0"],
        check: { bytes in
            let read = bytes.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try JPEGXRContainer(bytes) }
            }
            guard case .success(let container) = read else {
                if case .failure(let error) = read { try error.mustBe(.corrupt) }
                return
            }
            let places = [container.picture, container.alpha ?? 0]
            try hold(places.allSatisfy { 0..<bytes.count ~= $0 }, "a picture lies outside of the file")
            guard let profile = container.profile else { return }
            try hold(
                !profile.isEmpty && profile.lowerBound > 0 && profile.upperBound <= bytes.count,
                "the profile lies outside of the file")
        })

    /// The document of an animation in the files that hold one.
    static let animationFile = FuzzTarget(
        name: "lottie-file", maximumLength: 1 << 15, fixtures: ["animation", "archive/project.zip"],
        seeds: {
            [
                storedZip([
                    ("manifest.json", #"{"animations":[{"id":"a"}],"initial":{"animation":"b"}}"#),
                    ("animations/b.json", "{}"), ("a/c.json", #"{"v":"5"}"#),
                ])
            ]
        },
        words: ["PK\u{3}\u{4}", "PK\u{1}\u{2}", "manifest.json", "\"id\"", "animations/", "../", "a/"],
        check: { bytes in
            let input = CountedInput(bytes, limit: readLimit)
            do throws(PluginError) {
                let document = try LottieFile.document(input)
                if document.count > 32 << 20 { throw PluginError(.invalidAnswer, "the document is too long") }
            } catch {
                try hold(input.reads <= readLimit, "more than \(readLimit) reads of \(input.size) bytes")
                try error.mustBe(.corrupt, .locked, .empty, .unsupported, .limitExceeded)
            }
            try hold(input.negativeOffsets == 0, "something before the beginning was read")
        })

    /// A zip file of members that are not packed, without their checksums (APPNOTE 6.3.10, 4.3.7 and 4.3.12).
    private static func storedZip(_ members: [(name: String, text: String)]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var (file, list) = ([UInt8](), [UInt8]())
        for (name, text) in members {
            let sizes = little(0, 4) + little(text.utf8.count, 4) + little(text.utf8.count, 4)
            let lengths = little(name.utf8.count, 2) + little(0, 2)
            list += Array("PK\u{1}\u{2}".utf8) + little(20, 2) + little(20, 2) + little(0, 8) + sizes + lengths
            list += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(file.count, 4) + Array(name.utf8)
            file += Array("PK\u{3}\u{4}".utf8) + little(20, 2) + little(0, 8) + sizes + lengths + Array(name.utf8)
            file += Array(text.utf8)
        }
        let count = little(members.count, 2)
        return file + list + Array("PK\u{5}\u{6}".utf8) + little(0, 4) + count + count + little(list.count, 4)
            + little(file.count, 4) + little(0, 2)
    }
}

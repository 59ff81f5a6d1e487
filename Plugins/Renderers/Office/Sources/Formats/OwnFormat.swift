internal import CompoundFiles

/// A format of another program that LibreOffice reads, by the suffix of its names.
///
/// LibreOffice takes what it does not know for text: what is passed on has to begin as its format says.
enum OwnFormat: String, CaseIterable {
    /// Windows Metafile.
    case wmf
    /// Enhanced Metafile.
    case emf
    /// Pictures of QuickDraw.
    case pict = "pct"
    /// CorelDRAW. From version X4 on its documents are zip archives.
    case cdr
    /// AutoCAD's exchange format, as text, or binary as ``BinaryDrawing`` reads it.
    case dxf
    /// WordPerfect.
    case wpd
    /// AbiWord.
    case abw
    /// Word for Windows 1 and 2, and for the Macintosh up to 5.1, whose files are no compound files yet. They have the type and the
    /// suffix of later ones.
    case oldWord = "doc"
    /// Write, which came with Windows up to version 3.1, and Word for DOS, whose files begin alike and have the type of later ones.
    case wri
    /// Lotus 1-2-3.
    case lotus = "123"
    /// Hangul up to 1997, whose files are no compound files yet.
    case oldHangul = "hwp"
    /// PowerPoint 2 and 3, whose files are no compound files yet. They have the type and the suffix of later ones.
    case oldPowerPoint = "ppt"
    /// Lotus Word Pro.
    case wordPro = "lwp"
    /// Quattro Pro for DOS, and for Windows up to version 6.
    case quattroPro = "wb2"
    /// Drawings of WordPerfect.
    case wpg
    /// Symbolic Link, sheets as text.
    case sylk = "slk"
    /// Books and notes of Palm's organizers.
    case palm = "pdb"
    /// ClarisWorks and AppleWorks: texts, sheets, drawings, databases and slides alike.
    case appleWorks = "cwk"
    /// Sheets of Gnumeric, which are XML, packed.
    case gnumeric
    /// Pictures of StarView, on which LibreOffice was built.
    case starView = "svm"
    /// Metafiles of OS/2.
    case met
    /// Drawings that CorelDRAW passes on to others.
    case corelExchange = "cmx"
    /// QuarkXPress up to version 6.
    case quarkXPress = "qxd"
    /// Text602, which Czechs and Slovaks wrote in under DOS.
    case text602 = "602"
    /// Texts and databases of Works for DOS, whose files are no compound files yet. They have the type of later ones.
    case oldWorks = "wps", oldWorksBase = "wdb"
    /// Pocket Word, of Microsoft's handhelds.
    case pocketWord = "psw"
    /// Texts, sheets and slides of iWork, which are zip archives.
    case pages, numbers, keynote = "key"

    /// By the names of shared-mime-info, which has one for all that Hangul wrote; the plugin's own for the old ones.
    static let types: [String: OwnFormat] = [
        "image/wmf": .wmf, "image/emf": .emf, "image/x-pict": .pict, "application/vnd.corel-draw": .cdr,
        "application/x-vnd.corel.draw.document+zip": .cdr, "application/x-vnd.corel.zcf.draw.document+zip": .cdr,
        "image/vnd.dxf": .dxf, "application/vnd.wordperfect": .wpd, "application/x-abiword": .abw,
        "application/x-mswrite": .wri, "application/vnd.lotus-1-2-3": .lotus,
        "application/x-hwp-v3": .oldHangul, "application/vnd.lotus-wordpro": .wordPro,
        "application/x-quattropro": .quattroPro, "application/x-wpg": .wpg,
        "text/spreadsheet": .sylk, "application/x-aportisdoc": .palm, "application/prs.plucker": .palm,
        "application/x-appleworks-document": .appleWorks, "application/x-gnumeric": .gnumeric,
        "image/x-svm": .starView, "image/x-met": .met, "image/x-cmx": .corelExchange,
        "application/vnd.quark.quarkxpress": .quarkXPress, "application/x-t602": .text602,
        "application/x-pocket-word": .pocketWord,
        "application/vnd.apple.pages": .pages, "application/vnd.apple.numbers": .numbers,
        "application/vnd.apple.keynote": .keynote,
    ]

    /// What a document of it is.
    var family: DocumentFormat.Family {
        switch self {
        case .wpd, .abw, .oldWord, .wri, .oldHangul, .wordPro, .palm, .appleWorks, .text602, .oldWorks, .pocketWord,
            .pages:
            .text
        case .lotus, .quattroPro, .sylk, .gnumeric, .oldWorksBase, .numbers: .spreadsheet
        case .oldPowerPoint, .keynote: .presentation
        case .wmf, .emf, .pict, .cdr, .dxf, .wpg, .starView, .met, .corelExchange, .quarkXPress: .drawing
        }
    }

    /// Whether it holds one picture, without a page around it.
    var isPicture: Bool { [.wmf, .emf, .pict, .dxf, .wpg, .starView, .met].contains(self) }

    /// Whether it is one of iWork.
    var isWork: Bool { [.pages, .numbers, .keynote].contains(self) }

    /// Whether a file begins as this format prescribes. Zip archives are known by what is in them, as ``WorkPackage`` says.
    ///
    /// Sources: [MS-WMF] 2.3.2.2 and 2.3.2.3, [MS-EMF] 2.3.4.2, Inside Macintosh: Imaging With QuickDraw, A-3 (see
    /// ``pictStart(_:)``), AutoCAD's DXF Reference; the signatures of CorelDRAW (RIFF), Write, 1-2-3, Quattro Pro
    /// and Word Pro are those of shared-mime-info, as is AbiWord's first element, and those of AppleWorks and of Word for the Macintosh
    /// what libmwaw looks for; WordPerfect's prefix is described at ``isWordPerfect(_:size:kinds:)``. MO:DCA's
    /// reference (SC31-6802) has the field that begins OS/2's metafiles; that of QuarkXPress is what libqxp looks for, and those of
    /// StarView, Corel's exchange and Text602 what LibreOffice does, and those of Works for DOS and Pocket Word what libwps does.
    /// - Parameters:
    ///   - head: at least the first 528 bytes of it, if it has so many.
    ///   - size: bytes in all.
    func begins(_ head: [UInt8], size: Int64) -> Bool {
        switch self {
        case .wmf: return Self.isMetafile(head, at: Self.isPlaceable(head) ? 22 : 0)
        case .emf: return head.holds([1, 0, 0, 0]) && head.dropFirst(40).starts(with: Array(" EMF".utf8))
        case .pict: return Self.pictStart(head) != nil
        case .cdr:
            return head.holds(Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("CDR".utf8))
        case .dxf: return Self.isDXF(head) || head.holds(BinaryDrawing.signature)
        case .wpd:
            return Self.isWordPerfect(head, size: size, kinds: [0x0A, 0x2C]) || OldWordPerfect.begins(head, size: size)
        case .abw: return head.holds(Array("<".utf8)) && head.firstRange(of: Array("<abiword".utf8)) != nil
        case .wri: return [0x31, 0x32].contains { head.holds([$0, 0xBE, 0, 0, 0, 0xAB]) }
        case .lotus: return Self.isLotus(head)
        case .oldHangul: return head.holds(Array("HWP Document File V3.00".utf8))
        case .wordPro: return head.holds(Array("WordPro\0".utf8))
        case .quattroPro:
            return head.holds([0, 0, 2, 0])
                && head.uint16(at: 4).map { [0x1001, 0x1002, 0x5120, 0x5121].contains($0) } ?? false
        case .wpg: return Self.isWordPerfect(head, size: size, kinds: [0x16])
        case .sylk: return Self.isSYLK(head)
        case .palm: return Self.palms.contains { head.dropFirst(60).starts(with: Array($0.utf8)) }
        case .oldPowerPoint:
            return Self.oldPowerPoints.contains { head.holds($0) } && head.count > Self.oldPowerPointHead
        case .appleWorks: return head.dropFirst(4).starts(with: Array("BOBO".utf8))
        case .gnumeric: return Self.isGnumeric(head)
        case .starView: return head.holds(Array("VCLMTF".utf8))
        case .met: return head.dropFirst(2).starts(with: [0xD3, 0xA8, 0xA8])
        case .corelExchange:
            return head.holds(Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("CMX1".utf8))
        case .quarkXPress: return ["IIXPR", "MMXPR"].contains { head.dropFirst(2).starts(with: Array($0.utf8)) }
        case .text602: return head.holds(Array("@CT ".utf8))
        case .oldWorks: return head.count >= Self.oldWorksHead && head[0] < 6 && head[1] == 0xFE
        case .oldWorksBase: return head.holds([0x20, 0x54, 0x02, 0x00])
        case .pocketWord: return head.holds(Array("{\\pwi\u{15}\0\0".utf8))
        case .pages, .numbers, .keynote: return false
        case .oldWord: return Self.oldWords.contains { head.holds($0) } && head.count > Self.oldWordHead
        }
    }

    /// Where a picture of QuickDraw begins: behind 512 bytes of any content, which clipboards have not, nor what programs take
    /// from there or out of documents. Without these bytes it is one of version 2.
    static func pictStart(_ head: [UInt8]) -> Int? {
        func version(_ start: Int, _ bytes: [UInt8]) -> Bool { head.dropFirst(start + 10).starts(with: bytes) }
        let second: [UInt8] = [0x00, 0x11, 0x02, 0xFF]
        if version(512, second) || version(512, [0x11, 0x01]) { return 512 }
        return version(0, second) ? 0 : nil
    }

    /// A record that begins the file, with its type, its length and the version: releases 1 and 2, 3 and later; Works for
    /// Windows has a type of its own.
    private static func isLotus(_ head: [UInt8]) -> Bool {
        guard let type = head.uint16(at: 0), [0, 0xFF].contains(type), let length = head.uint16(at: 2),
            let version = head.uint16(at: 4)
        else {
            return false
        }
        return length == 2 && [0x404, 0x405, 0x406].contains(version) || length == 26 && 0x1000...0x1005 ~= version
    }

    /// The first two words of files of Word 1 and 2 (`wIdent` and `nFib`, as [MS-DOC] 2.5.2 still has them) and of those for the
    /// Macintosh 1, 3, 4 and 5; and bytes of all that is before their text.
    private static let oldWords: [[UInt8]] = [
        [0x9B, 0xA5, 0x21, 0x00], [0xDB, 0xA5, 0x2D, 0x00], [0xFE, 0x32, 0x00, 0x00], [0xFE, 0x34, 0x00, 0x00],
        [0xFE, 0x37, 0x00, 0x1C], [0xFE, 0x37, 0x00, 0x23],
    ]
    private static let oldWordHead = 256

    /// Bytes before the text of Works for DOS.
    private static let oldWorksHead = 256

    /// The number that files of PowerPoint 2 and 3 begin with, of Windows and of a Macintosh, and the bytes of their header.
    private static let oldPowerPoints: [[UInt8]] = [[0xED, 0xDE, 0xAD, 0x0B], [0x0B, 0xAD, 0xDE, 0xED]]
    private static let oldPowerPointHead = 32

    /// Whether a Windows metafile has the header that tells where to place it ([MS-WMF] 2.3.2.3).
    static func isPlaceable(_ head: [UInt8]) -> Bool { head.holds([0xD7, 0xCD, 0xC6, 0x9A]) }

    /// The header of [MS-WMF] 2.3.2.2: in memory or on disk, nine words, version 1 or 3, and a length that has room for it
    /// and one record. The length may reach beyond the end, of a file that is cut off.
    private static func isMetafile(_ head: [UInt8], at start: Int) -> Bool {
        guard let type = head.uint16(at: start), let version = head.uint16(at: start + 4),
            let words = head.uint32(at: start + 6)
        else { return false }
        return 1...2 ~= type && head.uint16(at: start + 2) == 9 && [0x100, 0x300].contains(version) && words >= 12
    }

    /// The prefix that all files of WordPerfect have from version 5 on: a signature, where the text begins, the product
    /// (1 is WordPerfect), and what the file is (10 is a document, 44 one of a Macintosh, 22 a drawing).
    private static func isWordPerfect(_ head: [UInt8], size: Int64, kinds: [UInt8]) -> Bool {
        guard head.count > 16, head.holds([0xFF] + Array("WPC".utf8)), let text = head.uint32(at: 4) else {
            return false
        }
        return text >= 16 && text < size && head[8] == 1 && kinds.contains(head[9])
    }

    /// Lines of a record each: first the program that wrote it, then others. A list of words may begin like the first of them.
    private static func isSYLK(_ head: [UInt8]) -> Bool {
        guard head.holds(Array("ID;P".utf8)) else { return false }
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
        return lines.first.map { line in line == "E" || records.contains { line.hasPrefix($0) } } ?? false
    }

    /// Size, cell, format, picture of numbers, options, names, windows.
    private static let records = ["B;", "C;", "F;", "P;", "O;", "NN;", "NE;", "NU;", "W;"]

    /// Bytes of the beginning, unpacked, among which the first element of a sheet of Gnumeric is.
    private static let gnumericHead = 1024

    private static func isGnumeric(_ head: [UInt8]) -> Bool {
        let first = head.inflatedGzip(count: gnumericHead)
        return ["<gnm:Workbook", "<gmr:Workbook"].contains { first.firstRange(of: Array($0.utf8)) != nil }
    }

    /// Type and program of databases: PalmDOC, zTXT, TealDoc, Plucker and eReader.
    private static let palms = ["TEXtREAd", "zTXTGPlm", "TEXtTlDc", "DataPlkr", "PNRdPPrs"]

    /// Pairs of lines, a number and its value: after comments, whose number is 999, a section begins.
    private static func isDXF(_ head: [UInt8]) -> Bool {
        let lines = String(decoding: head, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { $0.drop { $0 == " " } }
        var rest = lines[...]
        while rest.first == "999" { rest = rest.dropFirst(2) }
        return rest.starts(with: ["0", "SECTION"])
    }
}

import CIconv
import Glibc

/// Letters of texts that say in which encoding they are written.
public enum Charset {
    /// Encodings that mails have, by the C library's names. Others are not handed to it: its rarer tables are little
    /// tested with what strangers send.
    private static let known: Set<String> = [
        "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8", "ISO-8859-9",
        "ISO-8859-10", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "WINDOWS-1250", "WINDOWS-1251",
        "WINDOWS-1252", "WINDOWS-1253", "WINDOWS-1254", "WINDOWS-1255", "WINDOWS-1256", "WINDOWS-1257", "WINDOWS-1258",
        "CP874", "KOI8-R", "KOI8-U", "ISO-2022-JP", "SHIFT_JIS", "CP932", "EUC-JP", "GB18030", "BIG5", "EUC-KR", "UHC",
        "UTF-7", "UTF-16", "UTF-16LE", "UTF-16BE",
    ]
    /// Other names of them, and those that are written where a wider one is meant.
    private static let aliases = [
        "ISO-8859-1": "WINDOWS-1252", "LATIN1": "WINDOWS-1252", "ISO_8859-1": "WINDOWS-1252", "GB2312": "GB18030",
        "GBK": "GB18030", "KS_C_5601-1987": "UHC", "EUC-KR": "UHC", "CP949": "UHC", "WINDOWS-949": "UHC",
        "CP1250": "WINDOWS-1250", "CP1251": "WINDOWS-1251",
        "CP1252": "WINDOWS-1252", "SHIFT-JIS": "CP932", "SJIS": "CP932", "WINDOWS-31J": "CP932",
        "ISO-8859-8-I": "ISO-8859-8", "TIS-620": "CP874", "ISO-8859-11": "CP874", "WINDOWS-874": "CP874",
    ]

    /// Decodes a text. What cannot be decoded becomes U+FFFD; a text without a name of an encoding, or with a strange one,
    /// is UTF-8 if it can be, and Windows-1252 otherwise.
    public static func text(_ bytes: some Collection<UInt8>, charset: String? = nil) -> String {
        let bytes = Array(bytes)
        let name = name(of: charset)
        if known.contains(name), let text = convert(bytes, from: name) { return text }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if name == "UTF-8", charset != nil { return String(decoding: bytes, as: UTF8.self) }
        return convert(bytes, from: "WINDOWS-1252") ?? String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a text whose writer may be wrong about its encoding, as programs that send mails are: in the one that is said where
    /// it can be decoded whole, else in UTF-8 where it can, else in Windows-1252. A text of which little is damaged is in the encoding
    /// that it is said to be in, or in UTF-8, all the same.
    public static func likelyText(_ bytes: some Collection<UInt8>, charset: String? = nil) -> String {
        let bytes = Array(bytes)
        let name = name(of: charset)
        let said = known.contains(name) ? convert(bytes, from: name) : nil
        if let said, !said.unicodeScalars.contains(replacement) { return said }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let likely = said ?? String(decoding: bytes, as: UTF8.self)
        return isMostlySound(likely) ? likely : convert(bytes, from: "WINDOWS-1252") ?? likely
    }

    /// The name of an encoding that Windows has a number for ([MS-UCODEREF] 2.2.1); `nil` for those that mails rarely have.
    public static func name(ofCodePage page: Int) -> String? {
        switch page {
        case 1250...1258: "WINDOWS-\(page)"
        case 28_592...28_606: "ISO-8859-\(page - 28_590)"
        case 874: "CP874"
        case 932: "CP932"
        case 936, 54_936: "GB18030"
        case 949: "UHC"
        case 950: "BIG5"
        case 20_866: "KOI8-R"
        case 21_866: "KOI8-U"
        case 50_220...50_222: "ISO-2022-JP"
        case 51_932: "EUC-JP"
        case 51_949: "EUC-KR"
        default: nil
        }
    }

    /// Stands for what cannot be decoded.
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Whether few letters beyond ASCII cannot be decoded.
    private static func isMostlySound(_ text: String) -> Bool {
        var (bad, others) = (0, 0)
        for scalar in text.unicodeScalars where !scalar.isASCII {
            if scalar == replacement { bad += 1 } else { others += 1 }
        }
        return bad < others
    }

    /// The C library's name of an encoding.
    private static func name(of charset: String?) -> String {
        charset.map { aliases[$0.uppercased()] ?? $0.uppercased() } ?? "UTF-8"
    }

    /// Tables of the C library for letters in other encodings than UTF-8.
    public enum Tables {
        /// Those of Windows-1252, in which texts are read that are no UTF-8 and do not say in which encoding they are, and of two
        /// in which tags of music are, which do not say so either.
        case tags
        /// Those of encodings that were the usual ones of a system once.
        case usual
        /// All that are known, by all of their names: libraries that read mails ask for them by other ones, too.
        case all
    }

    /// Loads tables of the C library, for who can open no files later on. Without, texts in other encodings than UTF-8 are
    /// read as if they were damaged.
    public static func warmUp(_ tables: Tables = .usual) {
        let names =
            switch tables {
            case .tags: ["WINDOWS-1252", "WINDOWS-1251", "CP932"]
            case .usual: usual
            case .all: Array(known) + aliases.keys
            }
        // Kept, since tables that nobody uses are thrown away.
        for name in names { _ = iconv_open("UTF-8", name) }
    }

    private static let usual = [
        "ISO-8859-2", "ISO-8859-15", "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "CP932", "GB18030",
        "UHC",
    ]

    private static func convert(_ bytes: [UInt8], from name: String) -> String? {
        let converter = iconv_open("UTF-8", name)
        guard ciconv_is_converter(converter) != 0 else { return nil }
        defer { iconv_close(converter) }
        var out: [UInt8] = []
        var room = [CChar](repeating: 0, count: 16 << 10)
        var input = bytes.map { CChar(bitPattern: $0) }
        input.withUnsafeMutableBufferPointer { source in
            var next = source.baseAddress
            var left = source.count
            while left > 0 {
                let (status, reason) = room.withUnsafeMutableBufferPointer { target -> (Int, CInt) in
                    var end = target.baseAddress
                    var free = target.count
                    let status = iconv(converter, &next, &left, &end, &free)
                    let reason = errno
                    out += target.prefix(target.count - free).map { UInt8(bitPattern: $0) }
                    return (status, reason)
                }
                guard status == -1, reason != E2BIG else { continue }
                out += Array("\u{FFFD}".utf8)
                // An incomplete letter at the end, or one that is none.
                guard reason == EILSEQ, left > 0 else { break }
                next = next.map { $0 + 1 }
                left -= 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

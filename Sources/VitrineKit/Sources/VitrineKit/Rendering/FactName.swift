/// The name of a detail, which is also its key in JSON: a small letter, then letters and digits.
///
/// A renderer may make up names of its own; those below mean the same whoever says them.
@frozen
public struct FactName: RawRepresentable, Hashable, Comparable, Sendable {
    /// The name itself.
    public let rawValue: String

    /// - Returns: `nil` unless it is 1 to 32 letters and digits of ASCII, the first one small.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard 1...32 ~= bytes.count, bytes.first.map({ 0x61...0x7A ~= $0 }) == true,
            bytes.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(_ known: String) { rawValue = known }

    /// In the order of their bytes.
    public static func < (one: FactName, other: FactName) -> Bool { one.rawValue < other.rawValue }

    /// Who wrote, composed or sent it. Text.
    public static let author = FactName("author")
    /// When it was made, taken or sent, as ``FactDate`` writes it. Text.
    public static let created = FactName("created")
    /// The name of the paper, such as `A4` or `Letter landscape`. Text; see ``Facts/setPage(width:height:)``.
    public static let pageFormat = FactName("pageFormat")
    /// Millimetres of the page that is shown. Numbers.
    public static let pageWidth = FactName("pageWidth"), pageHeight = FactName("pageHeight")
    /// The sheets of a workbook. A list.
    public static let sheetNames = FactName("sheetNames")
    /// How picture and sound are compressed, in libav's short names, the picture first. A list.
    public static let codecs = FactName("codecs")
    /// Pictures a second. A number.
    public static let frameRate = FactName("frameRate")
    /// What a piece of music is part of. Text.
    public static let album = FactName("album")
    /// Maker and model of the camera. Text.
    public static let camera = FactName("camera")
    /// How the camera was held, as EXIF numbers it: 1 is upright. A number.
    public static let orientation = FactName("orientation")
    /// To whom a letter goes. Text.
    public static let recipients = FactName("recipients")
    /// The family of a font, and its style in it. Texts.
    public static let family = FactName("family"), style = FactName("style")
    /// How letters are written as bytes, such as `UTF-8`. Text.
    public static let encoding = FactName("encoding")
    /// Lines of a text that was read to its end. A number.
    public static let lines = FactName("lines")
    /// Files in an archive that was listed to its end. A number.
    public static let members = FactName("members")
}

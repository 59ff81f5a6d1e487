internal import CompoundFiles
internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws mails as cards: sender, date, subject, how the text begins, and the first good picture in it; with gmime and pango.
///
/// Nothing that a mail refers to is loaded, and no key is asked for.
public final class MailRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Loads fonts and the tables of encodings.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        MIMEMessage.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a mail, which has one page and no moments.
    /// - Throws: `empty` for no bytes, `corrupt` or `unsupported` for what is no mail, `invalidArgument` for another page or a
    ///   moment, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the mail")
        try request.checkSinglePicture(in: "the mail")
        let letter = try Self.letter(input, request.mimeType)
        var facts = Facts(title: letter.subject)
        facts.set(.author, letter.sender)
        facts.set(.created, (letter.moment ?? letter.date).flatMap(FactDate.init)?.text)
        if request.wantsText {
            let words = [letter.sender, letter.text.isEmpty ? nil : letter.text].compactMap(\.self)
            facts.text = words.isEmpty ? nil : Facts.bounded(words.joined(separator: "\n"))
        }
        let page = try Page(box: request.box, width: 170, height: 170)
        page.draw(letter, letter.pictures.first(decoder, isSole: letter.text.isEmpty, box: request.box))
        return Rendering(try page.finish(), facts: facts)
    }

    /// What mails of Outlook are, and documents of many programs.
    private static let storage = "application/x-ole-storage"

    /// A mail in whatever form it is kept.
    private static func letter(_ input: any RandomAccessInput, _ type: String) throws(PluginError) -> Letter {
        let head = try input.head(8)
        if head == CompoundFile.signature { return try OutlookMessage.letter(input) }
        // Of documents of other programs nobody expects a mail, whatever else they are.
        guard type != storage else {
            throw PluginError(.unsupported, "the file is no compound file, as mails of Outlook are")
        }
        if head.starts(with: TransportMessage.signature) { return try TransportMessage.letter(input) }
        return try MIMEMessage.letter(input)
    }
}

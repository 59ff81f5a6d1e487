internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// The card of one person with a photograph in it (RFC 6350, RFC 2426, and vCard 2.1 before them). Address books with several
/// persons, and cards without a photograph, are left to who draws texts.
enum ContactCard {
    static let type = "text/vcard"
    /// Bytes that are looked at.
    private static let range = 8 << 20

    /// What is no text: pictures, sounds and keys.
    private static let binary: Set = ["PHOTO", "LOGO", "SOUND", "KEY"]

    /// Decodes the photograph.
    /// - Returns: it, with what the person is called, and all that the card says if that is wanted.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, _ request: RenderRequest, _ decoder: PictureDecoder
    ) throws(PluginError) -> Rendering {
        let lines = ContentLine.lines(try input.head(range))
        guard lines.count(where: { $0.property == "BEGIN" }) == 1,
            let photo = lines.first(where: { $0.property == "PHOTO" }).flatMap({ letters($0.value) })
        else {
            throw PluginError(.unsupported, "the file is not the card of one person with a photograph in it")
        }
        let name = lines.first { $0.property == "FN" }
        var facts = Facts(title: name.flatMap { Facts.line($0.text) })
        if request.wantsText {
            let texts = lines.filter { !binary.contains($0.property) }.map { "\($0.property): \($0.text)" }
            facts.text = Facts.bounded(texts.joined(separator: "\n"))
        }
        let picture = try decoder.picture(TransferCoding.base64.decode(photo), box: request.box).bitmap
        var rendering = Rendering(picture, facts: facts)
        rendering.embedded = "photograph"
        return rendering
    }

    /// The Base64 of a picture: as it is, or behind `data:image/jpeg;base64,`.
    /// - Returns: `nil` for an address on the network, which is not looked up.
    private static func letters(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        guard value.contains(UInt8(ascii: ":")) else { return Array(value) }
        guard value.starts(with: "data:".utf8), let comma = value.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        return Array(value[(comma + 1)...])
    }
}

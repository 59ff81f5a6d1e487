internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// The preview of a document of InDesign: a JPEG in Base64 among its metadata (XMP specification part 2, 8.5: `xmpGImg`).
enum LayoutPreview {
    /// What these documents begin with.
    private static let signature: [UInt8] = [
        0x06, 0x06, 0xED, 0xF5, 0xD8, 0x1D, 0x46, 0xE5, 0xBD, 0x31, 0xEF, 0xE7, 0xFE, 0x74, 0xB7, 0x1D,
    ]
    /// What comes before a picture, without the beginning of the name, three letters that older programs write otherwise;
    /// and what comes behind it.
    private static let mark = Array("GImg:image>".utf8), end = Array("</".utf8), closing = "</xmpGImg:image>".utf8.count
    /// Letters of a picture, and pictures that are looked at, at most: one for each of the first pages.
    private static let longest = 8 << 20, mostPictures = 4

    /// Whether a file begins as one.
    static func begins(_ head: [UInt8]) -> Bool { head.starts(with: signature) }

    /// Decodes the picture of the first page.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        let search = ByteSearch(input)
        var failure = PluginError(
            .unsupported, "the document was saved without a preview, and nothing else of it can be drawn")
        var start: Int64 = 0
        for _ in 0..<mostPictures {
            guard let found = try search.offset(of: mark, from: start) else { break }
            start = found + Int64(mark.count)
            // Of a closing tag, as of a picture whose opening one is damaged: `</xmp`, and not `<xmp`.
            guard try input.bytes(at: max(0, found - 4), count: 1) == Array("<".utf8) else { continue }
            let letters = try input.bytes(at: start, count: longest)
            guard let length = ByteSearch.offset(of: end, in: letters) else {
                failure =
                    letters.count == longest
                    ? PluginError(
                        .limitExceeded,
                        "the document's preview has more than \(longest) letters, which are not looked at")
                    : PluginError(.corrupt, "the document is cut off: its preview is not whole")
                break
            }
            // The mark is part of the closing tag, too.
            start += Int64(length + closing)
            do throws(PluginError) {
                return try decoder.picture(Self.picture(letters[..<length]), box: box).bitmap
            } catch {
                guard [.corrupt, .limitExceeded, .unsupported].contains(error.code) else { throw error }
                failure = error
            }
        }
        throw failure
    }

    /// Lines end with an entity (`&#xA;`), whose letters are none of the picture's.
    private static func picture(_ letters: ArraySlice<UInt8>) -> [UInt8] {
        var isEntity = false
        let own = letters.filter { letter in
            if letter == UInt8(ascii: "&") { isEntity = true }
            defer { if letter == UInt8(ascii: ";") { isEntity = false } }
            return !isEntity
        }
        return TransferCoding.base64.decode(own)
    }
}

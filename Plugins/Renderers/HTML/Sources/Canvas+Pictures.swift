internal import CLitehtml
internal import CPango
internal import MIME
internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

extension Canvas {
    /// Pictures that one page may have, and the longest side of one that is decoded, where its format knows smaller ones.
    private static let mostPictures = 256, pictureBox = 1024

    /// The size of a picture that lies in the page.
    func size(of address: String) -> PixelSize? {
        if let known = sizes[address] { return known }
        let found = sizes.count < Self.mostPictures ? readSize(of: address) : nil
        sizes[address] = .some(found)
        return found
    }

    private func readSize(of address: String) -> PixelSize? {
        // Of PNG (11.2.1 of its specification) the head tells it: what lies below the window is not decoded.
        if let bytes = bytes(of: address, most: 24), bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            func number(_ at: Int) -> Int { Int(bigEndianBytes: bytes[at..<(at + 4)]) }
            let size = PixelSize(width: number(16), height: number(20))
            return 1...65_535 ~= size.width && 1...65_535 ~= size.height ? size : nil
        }
        return picture(address).map { PixelSize(width: $0.width, height: $0.height) }
    }

    /// Draws a picture, again and again where that is asked for.
    func draw(_ address: String, _ clip: clitehtml_box, _ place: clitehtml_box, across: Bool, down: Bool) {
        drawWaiting()
        let (clip, place) = (shown(clip), shown(place))
        guard place.isNear || across || down, let picture = picture(address) else { return }
        hasMarks = true
        cairo_save(page.context)
        defer { cairo_restore(page.context) }
        path(clip, clitehtml_corners())
        cairo_clip(page.context)
        let columns = Self.copies(from: place.x, every: place.width, in: clip.columns, repeats: across)
        let rows = Self.copies(from: place.y, every: place.height, in: clip.rows, repeats: down)
        for y in rows {
            for x in columns {
                page.draw(
                    picture, x: x, y: y, width: Double(place.width), height: Double(place.height), covers: true)
            }
        }
    }

    /// Where the copies of a picture begin that lie in a part of the window. Of a tiny one there would be very many, no more than a
    /// shade: there is one.
    private static func copies(
        from start: CInt, every length: CInt, in room: ClosedRange<Double>, repeats: Bool
    ) -> [Double] {
        guard repeats, length >= 4 else { return [Double(start)] }
        let step = Double(length)
        let first = Double(start) + ((room.lowerBound - Double(start)) / step).rounded(.down) * step
        return Array(stride(from: first, to: room.upperBound, by: step))
    }

    private func picture(_ address: String) -> Bitmap? {
        if let known = pictures[address] { return known }
        guard pictures.count < Self.mostPictures else { return nil }
        let found = bytes(of: address).flatMap { try? decoder.picture($0, box: Self.pictureBox).bitmap }
        pictures[address] = .some(found)
        return found
    }

    /// A style sheet that the page names.
    /// - Returns: `nil` where it lies elsewhere, was given before (a sheet may name itself), or where there are more than one page
    ///   needs.
    func style(_ address: String) -> String? {
        let place = place(of: address)
        guard let bytes = saved[place], styleBytes + bytes.count <= MarkupScanner.mostStyle,
            styles.insert(place).inserted
        else { return nil }
        styleBytes += bytes.count
        let rewriter = StyleRewriter(isMirrored: source.isMirrored, addresses: source.addresses, base: place)
        let text = Array(Charset.text(bytes).utf8.lazy.filter { $0 != 0 })
        return String(decoding: rewriter.sheet(text[...]), as: UTF8.self)
    }

    /// The whole address that one on the page means.
    private func place(of address: String) -> String {
        source.addresses[address].map { String(decoding: $0, as: UTF8.self) }
            ?? WebAddress.resolved(address, on: source.base)
    }

    /// What an address of the scheme `data` holds (RFC 2397), in base64, or another part of a saved page.
    /// - Parameter most: bytes that are needed.
    private func bytes(of address: String, most: Int = .max) -> [UInt8]? {
        guard let data = source.addresses[address], Addresses.isPicture(data) else { return saved[place(of: address)] }
        let head = data.prefix(256).prefix { $0 != UInt8(ascii: ",") }
        guard String(decoding: head, as: UTF8.self).lowercased().hasSuffix(";base64") else { return nil }
        let letters = data.dropFirst(head.count + 1)
        // Four letters are three bytes; between them there may be blanks.
        return TransferCoding.base64.decode(most < 1000 ? letters.prefix(most * 2) : letters)
    }
}

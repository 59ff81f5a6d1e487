/// Formats told by their first bytes, as each format's specification gives them.
extension ImageFormat {
    /// How many bytes of a file are looked at.
    static let headLength = 64

    /// Tells the format of a file.
    /// - Parameters:
    ///   - head: its first bytes, ``headLength`` if it has as many.
    ///   - mimeType: what the engine found; only for formats that have no signature.
    init?(head: [UInt8], mimeType: String) {
        let found = Self.signatures.first { signature in
            head.dropFirst(signature.offset).starts(with: signature.bytes)
        }
        if mimeType == "image/x-tga", Self.isTarga(head) {
            // First: a usual TGA begins like a Windows cursor.
            self = .tga
        } else if let unsigned = Self.unsigned[mimeType], found == nil || unsigned == .gimpPipe {
            // An animated brush begins with its name, which may be any word.
            self = unsigned
        } else if let found {
            self = found.format
        } else if let brand = Self.brand(head) {
            self = brand
        } else if let icon = Self.icon(head) {
            self = icon
        } else if Self.isPortableAnymap(head) {
            self = .pnm
        } else {
            return nil
        }
    }

    /// Formats that begin with numbers or words of many meanings, as the shared MIME database tells them.
    private static let unsigned: [String: ImageFormat] = [
        "image/vnd.wap.wbmp": .wbmp, "image/x-xbitmap": .xbm, "image/x-xwindowdump": .xwd, "image/x-photo-cd": .photoCD,
        // A bitmap without the head of a file, as it lies on the clipboard.
        "image/x-dib": .dib,
        // Known by two numbers far behind each other.
        "image/x-aseprite": .aseprite,
        // Brushes of the first version, and several behind two lines of text.
        "image/x-gimp-gbr": .gimpBrush, "image/x-gimp-gih": .gimpPipe, "image/x-gimp-pat": .gimpPattern,
    ]

    private struct Signature {
        var format: ImageFormat
        var offset = 0
        var bytes: [UInt8]

        init(_ format: ImageFormat, _ bytes: [UInt8]) {
            self.format = format
            self.bytes = bytes
        }

        init(_ format: ImageFormat, at offset: Int = 0, _ text: String) {
            self.format = format
            self.offset = offset
            bytes = Array(text.utf8)
        }
    }

    private static let signatures = [
        Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
        Signature(.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature(.mng, [0x8A, 0x4D, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature(.jng, JNGPicture.signature),
        Signature(.gif, "GIF87a"), Signature(.gif, "GIF89a"),
        Signature(.webp, at: 8, "WEBPVP8"),
        Signature(.tiff, [0x49, 0x49, 0x2A, 0x00]), Signature(.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
        Signature(.tiff64, [0x49, 0x49, 0x2B, 0x00, 8, 0]), Signature(.tiff64, [0x4D, 0x4D, 0x00, 0x2B, 0, 8]),
        Signature(.psd, [0x38, 0x42, 0x50, 0x53, 0, 1]), Signature(.psb, [0x38, 0x42, 0x50, 0x53, 0, 2]),
        Signature(.jpeg2000, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Signature(.jpeg2000Codestream, [0xFF, 0x4F, 0xFF, 0x51, 0x00]),
        Signature(.exr, [0x76, 0x2F, 0x31, 0x01]),
        Signature(.hdr, "#?RADIANCE\n"), Signature(.hdr, "#?RGBE\n"),
        Signature(.pam, "P7\n"), Signature(.pfm, "PF\n"), Signature(.pfm, "Pf\n"),
        Signature(.sgi, [0x01, 0xDA, 0, 1]), Signature(.sgi, [0x01, 0xDA, 1, 1]), Signature(.sgi, [0x01, 0xDA, 0, 2]),
        Signature(.sgi, [0x01, 0xDA, 1, 2]),
        Signature(.pcx, [0x0A, 0x05, 0x01]), Signature(.pcx, [0x0A, 0x03, 0x01]), Signature(.pcx, [0x0A, 0x02, 0x01]),
        Signature(.dcx, [0xB1, 0x68, 0xDE, 0x3A]),
        Signature(.dds, "DDS "), Signature(.sun, [0x59, 0xA6, 0x6A, 0x95]),
        Signature(.cineon, [0x80, 0x2A, 0x5F, 0xD7]), Signature(.cineon, [0xD7, 0x5F, 0x2A, 0x80]),
        Signature(.dpx, "SDPX"), Signature(.dpx, "XPDS"),
        Signature(.xpm, "/* XPM */"),
        // With the highest byte of a width or a length: text may begin with the words.
        Signature(.qoi, "qoif\0"), Signature(.appleIcon, "icns\0"), Signature(.fits, "SIMPLE  ="),
        Signature(.farbfeld, "farbfeld\0"),
        Signature(.animatedCursor, at: 8, "ACON"),
        Signature(.ktx, KTXPicture.signature), Signature(.ktx, KTXPicture.newSignature),
        Signature(.bmp, "BM"), Signature(.miff, "id=ImageMagick  version="),
    ]

    /// The brands of an ISO base media file (ISO/IEC 14496-12, 4.3): pictures of HEIF (ISO/IEC 23008-12) and AVIF.
    private static func brand(_ head: [UInt8]) -> ImageFormat? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        // The major brand, the minor version, then compatible brands.
        let brands = stride(from: 8, to: head.count - 3, by: 4).filter { $0 != 12 }
            .map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
        if brands.contains("avif") || brands.contains("avis") { return .avif }
        let heif: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        return brands.contains(where: heif.contains) ? .heic : nil
    }

    /// `P1` to `P6`, then white space or a comment (netpbm's manual).
    private static func isPortableAnymap(_ head: [UInt8]) -> Bool {
        guard head.count > 6, head[0] == 0x50, 0x31...0x36 ~= head[1] else { return false }
        return [0x09, 0x0A, 0x0D, 0x20, 0x23].contains(head[2])
    }

    /// An icon or cursor says how many pictures it holds; a Targa picture, which may begin with the same four bytes, has
    /// no colour map there.
    private static func icon(_ head: [UInt8]) -> ImageFormat? {
        guard head.count > 6, head.starts(with: [0, 0]), head[3] == 0, head[4] != 0 || head[5] != 0 else { return nil }
        return switch head[2] {
        case 1: .icon
        case 2: .cursor
        default: nil
        }
    }

    /// The fields of a Truevision TGA header that have few legal values.
    private static func isTarga(_ head: [UInt8]) -> Bool {
        guard head.count >= 18, head[1] <= 1, [1, 2, 3, 9, 10, 11].contains(head[2]) else { return false }
        return [8, 15, 16, 24, 32].contains(head[16])
    }
}

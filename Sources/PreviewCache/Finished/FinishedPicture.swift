import Finishing
import VitrineKit

/// A picture in a format other than PNG that came from a worker, checked before it is trusted with a name in the cache.
///
/// As with PNG, its frame is looked at and nothing is decompressed: the signature, the parts that may be there and no
/// others, such as metadata, lengths that add up to the whole, and the size in pixels.
struct FinishedPicture {
    /// The file, as checked.
    let bytes: [UInt8]

    /// Checks a picture that was copied out of what the worker can write to.
    /// - Throws: `invalidAnswer` when it is anything else than what was asked for.
    init(
        _ picture: [UInt8], _ format: PictureFormat, size: PixelSize, box: Int
    ) throws(PluginError) {
        guard 1...box ~= size.width, 1...box ~= size.height else {
            throw Self.wrong("\(size.width) × \(size.height) pixels were declared where \(box) at most were asked for")
        }
        bytes = picture
        let fault: String? = bytes.withUnsafeBytes { bytes in
            switch format {
            case .png: "it is no PNG"
            case .jpeg: Self.jpeg(bytes).fault(size)
            case .webp: Self.webp(bytes).fault(size)
            case .avif: Self.avif(bytes).fault(size)
            }
        }
        if let fault { throw Self.wrong(fault) }
    }

    /// What a file's frame says.
    enum Frame {
        case sound(PixelSize)
        case broken(String)

        var size: PixelSize? { if case .sound(let size) = self { size } else { nil } }

        func fault(_ declared: PixelSize) -> String? {
            switch self {
            case .broken(let why): why
            case .sound(declared): nil
            case .sound: "it is not of the size that was declared"
            }
        }
    }

    /// ITU-T T.81, annex B: markers with lengths until the scan, which ends with the file. JFIF's APP0 may be there.
    static func jpeg(_ bytes: UnsafeRawBufferPointer) -> Frame {
        guard bytes.count > 4, bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2).elementsEqual([0xFF, 0xD9]) else {
            return .broken("it is no JPEG from its beginning to its end")
        }
        var at = 2
        var found: PixelSize?
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let (marker, length) = (bytes[at + 1], number(bytes, at + 2, 2))
            guard length >= 2, length <= bytes.count - at - 2 else {
                return .broken("a segment is longer than the file")
            }
            switch marker {
            case 0xDB, 0xC4, 0xDD, 0xE0: break
            case 0xC0, 0xC2:
                guard length >= 8 else { return .broken("its size is missing") }
                found = PixelSize(width: number(bytes, at + 7, 2), height: number(bytes, at + 5, 2))
            case 0xDA: return found.map { .sound($0) } ?? .broken("its size is missing")
            default: return .broken("it holds a segment that has no place there")
            }
            at += length + 2
        }
        return .broken("its pixels are missing")
    }

    /// RFC 9649: a RIFF file of one length, with chunks of pixels and none of metadata.
    static func webp(_ bytes: UnsafeRawBufferPointer) -> Frame {
        guard bytes.count >= 30, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8),
            littleEndian(bytes, 4, 4) == bytes.count - 8
        else { return .broken("it is no WebP of its length") }
        var at = 12
        var found: PixelSize?
        while at + 8 <= bytes.count {
            let (name, length) = (String(decoding: bytes[at..<at + 4], as: UTF8.self), littleEndian(bytes, at + 4, 4))
            let (content, padded) = (at + 8, length + length & 1)
            guard padded <= bytes.count - content else { return .broken("a chunk is longer than the file") }
            switch name {
            case "VP8X" where length == 10:
                found = PixelSize(
                    width: littleEndian(bytes, content + 4, 3) + 1, height: littleEndian(bytes, content + 7, 3) + 1)
            case "VP8 " where length >= 10:
                let own = PixelSize(
                    width: littleEndian(bytes, content + 6, 2) & 0x3FFF,
                    height: littleEndian(bytes, content + 8, 2) & 0x3FFF)
                found = found ?? own
            case "VP8L" where length >= 5:
                let bits = littleEndian(bytes, content + 1, 4)
                found = found ?? PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
            case "ALPH", "ANIM", "ANMF": break
            default: return .broken("it holds a chunk that has no place there")
            }
            at = content + padded
        }
        guard at == bytes.count else { return .broken("something follows its end") }
        return found.map { .sound($0) } ?? .broken("its size is missing")
    }

    /// ISO/IEC 14496-12 and 23000-22: boxes for type, description and pixels; the first `ispe` property is the size.
    static func avif(_ bytes: UnsafeRawBufferPointer) -> Frame {
        var at = 0
        var names: [String] = []
        var found: PixelSize?
        while at + 8 <= bytes.count {
            let (length, name) = (number(bytes, at, 4), String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
            guard length >= 8, length <= bytes.count - at else { return .broken("a box is longer than the file") }
            if name == "meta",
                let place = (at + 8..<max(at + 8, at + length - 20)).first(where: {
                    bytes[$0..<$0 + 4].elementsEqual("ispe".utf8)
                })
            {
                found = PixelSize(width: number(bytes, place + 8, 4), height: number(bytes, place + 12, 4))
            }
            names.append(name)
            at += length
        }
        guard at == bytes.count, names == ["ftyp", "meta", "mdat"], bytes.count >= 12,
            bytes[8..<12].elementsEqual("avif".utf8)
        else { return .broken("it is no plain AVIF") }
        return found.map { .sound($0) } ?? .broken("its size is missing")
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func wrong(_ why: String) -> PluginError {
        PluginError(.invalidAnswer, "the worker's picture was refused: \(why)")
    }
}

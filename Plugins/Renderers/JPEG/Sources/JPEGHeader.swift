internal import PictureTraits
internal import VitrineKit

/// What the segments before a JPEG's first scan say (ITU-T T.81, annex B).
struct JPEGHeader {
    /// The picture's size as it is stored.
    private(set) var size = PixelSize(width: 0, height: 0)
    /// Bits of a sample; the decoder knows 8.
    private(set) var precision = 0
    /// Colours that are stored: 1 is grey, 3 are red, green and blue in some form, 4 are inks.
    private(set) var components = 0
    /// Whether all coefficients must be kept before the first pixel can be had: the picture is progressive, or its colours are
    /// stored one after the other.
    private(set) var keepsCoefficients = false
    /// The mark of the frame, which tells how it is compressed; 0 when there is no frame.
    private var process: UInt8 = 0
    /// Whether it is compressed in a way that the decoder does not know: without loss, or in hierarchies.
    var isExotic: Bool { ![0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(process) }
    /// What the decoder does not know of it, in words; `nil` when there is nothing.
    var variety: String? {
        if [0xC3, 0xCB].contains(process) { return "is compressed without loss" }
        if isExotic { return "is stored as differences from another one" }
        if precision != 8 { return "has \(precision) bits a sample" }
        return [1, 3, 4].contains(components) ? nil : "has \(components) colours"
    }
    /// How the camera was held.
    private(set) var orientation = Orientation.upright
    /// Where the camera's block lies, its mark included.
    private(set) var exif: Range<Int>?
    /// The ICC profile (ICC.1, annex B.4), put together.
    private(set) var profile: [UInt8] = []
    /// Bytes that the coefficients need, when all are kept: two for each sample.
    private(set) var coefficientBytes = 0
    /// Why there is no picture, of which no pixel is known then; `nil` where there is one.
    private(set) var lack: PluginError?
    /// Whether it ends where pixels begin.
    private(set) var hasScan = false
    /// Whether it ends so soon behind that place that the decoder would only make it grey.
    private(set) var showsNothing = false

    /// Reads the segments.
    /// - Throws: `corrupt` when there is no frame, or when it has no pixels; `empty` when there was never one.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        try self.init(segmentsOf: bytes)
        if let lack { throw lack }
    }

    /// Reads the segments, whether a picture follows them or not; see ``lack``.
    /// - Throws: `corrupt` when the file does not begin like a JPEG.
    init(segmentsOf bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.starts(with: [0xFF, 0xD8]) else {
            throw PluginError(.corrupt, "the file is no JPEG picture: it does not begin like one")
        }
        var at = 2
        // Where the header ended.
        var last: UInt8?
        // Where pixels begin.
        var scan: Int?
        var profiles: [UInt8: Range<Int>] = [:]
        while at + 4 <= bytes.count {
            // Between segments there may be fill bytes, and in damaged files anything.
            guard bytes[at] == 0xFF, bytes[at + 1] != 0xFF, bytes[at + 1] != 0 else {
                at += 1
                continue
            }
            let marker = bytes[at + 1]
            if marker == 0x01 || 0xD0...0xD8 ~= marker {
                at += 2
                continue
            }
            if marker == 0xD9 || marker == 0xDA {
                last = marker
                hasScan = marker == 0xDA
                if hasScan { scan = at + 2 + Int(bigEndianBytes: bytes[at + 2..<at + 4]) }
                keepsCoefficients =
                    process == 0xC2 || process == 0xCA || at + 4 < bytes.count && Int(bytes[at + 4]) < components
                break
            }
            let length = Int(bigEndianBytes: bytes[at + 2..<at + 4])
            guard length >= 2 else {
                at += 2
                continue
            }
            let segment = at + 4..<min(at + 2 + length, bytes.count)
            if segment.lowerBound <= segment.upperBound { read(marker, bytes, segment, &profiles) }
            at += 2 + length
        }
        if last == nil, bytes.suffix(2).elementsEqual([0xFF, 0xD9]) { last = 0xD9 }
        guard size.width > 0, size.height > 0, components > 0 else {
            lack = reason(endingWith: last)
            return
        }
        if let scan { showsNothing = isNothing(bytes.count - scan) }
        for number in profiles.keys.sorted() {
            guard let part = profiles[number], profile.count + part.count <= ColorProfile.longest else { continue }
            profile += bytes[part]
        }
    }

    /// Pixels that a byte holds at most where each block of 64 has a code of one bit or more.
    static let pixelsInByte = 512
    /// The share of a picture with which nothing is to be seen of it.
    private static let leastShare = 64

    /// Whether bytes are far too few for the pixels. Arithmetic codes may be shorter than a bit.
    private func isNothing(_ count: Int) -> Bool {
        guard [0xC0, 0xC1, 0xC2].contains(process) else { return false }
        return max(0, count) * Self.pixelsInByte * Self.leastShare < size.width * size.height
    }

    /// Why there are no pixels.
    private func reason(endingWith marker: UInt8?) -> PluginError {
        if process != 0 {
            let missing = components > 0 ? "size" : "colours"
            return PluginError(.corrupt, "the JPEG picture's header is damaged: it has no \(missing)")
        }
        return switch marker {
        case 0xD9: PluginError(.empty, "the JPEG file has no picture in it, only what is said about one")
        case 0xDA: PluginError(.corrupt, "the JPEG picture's header is damaged: it does not say how large it is")
        default: PluginError(.corrupt, "the JPEG file is cut off before its picture begins")
        }
    }

    private mutating func read(
        _ marker: UInt8, _ bytes: UnsafeRawBufferPointer, _ segment: Range<Int>, _ profiles: inout [UInt8: Range<Int>]
    ) {
        let start = segment.lowerBound
        switch marker {
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
            readFrame(marker, UnsafeRawBufferPointer(rebasing: bytes[segment]))
        // The first one counts, as for everyone who reads it.
        case 0xE1 where exif == nil && bytes[segment].starts(with: Array("Exif\0\0".utf8)):
            let block = UnsafeRawBufferPointer(rebasing: bytes[start + 6..<segment.upperBound])
            if let value = Self.orientation(block) { orientation = Orientation(exif: value) }
            exif = segment
        case 0xE2 where bytes[segment].starts(with: Array("ICC_PROFILE\0".utf8)) && segment.count > 14:
            profiles[bytes[start + 12]] = start + 14..<segment.upperBound
        default: break
        }
    }

    private mutating func readFrame(_ marker: UInt8, _ frame: UnsafeRawBufferPointer) {
        guard frame.count >= 6 else { return }
        precision = Int(frame[0])
        size = PixelSize(width: Int(bigEndianBytes: frame[3..<5]), height: Int(bigEndianBytes: frame[1..<3]))
        components = Int(frame[5])
        process = marker
        // No component has more samples than the picture has pixels, rounded up to the largest unit of 32 × 32.
        let pixels = (size.width + 31) * (size.height + 31)
        coefficientBytes = pixels * min(components, 4) * 2
    }

    /// The orientation in a block of Exif (2.3, section 4.6.2): the tag 274 of the first directory.
    private static func orientation(_ exif: UnsafeRawBufferPointer) -> Int? {
        guard exif.count >= 8 else { return nil }
        let isLittle = exif[0] == 0x49
        func number(_ offset: Int, _ count: Int) -> Int {
            let bytes = exif[offset..<offset + count]
            return isLittle ? Int(littleEndianBytes: bytes) : Int(bigEndianBytes: bytes)
        }
        let directory = number(4, 4)
        guard directory <= exif.count - 2 else { return nil }
        for entry in 0..<number(directory, 2) {
            let start = directory + 2 + entry * 12
            guard start + 12 <= exif.count else { return nil }
            if number(start, 2) == 274 { return number(start + 8, 2) }
        }
        return nil
    }
}

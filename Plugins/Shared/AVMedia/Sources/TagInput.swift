import VitrineKit

/// A tag of a file, as the one of a file of its own in which libav reads all tags: of a sample of sound in TTA. So covers, letters
/// and lists of tags are read by the code that reads those of other files.
final class TagInput: RandomAccessInput {
    /// The demuxer that reads it.
    static let demuxer = "tta"

    private let input: any RandomAccessInput
    private let range: Range<Int64>
    /// What lies before and behind the tag.
    private let (before, after): ([UInt8], [UInt8])

    /// What the input threw.
    private(set) var failure: PluginError?

    /// - Parameters:
    ///   - place: of the tag; it lies within the input.
    ///   - input: the file that the tag belongs to.
    init(_ place: TagPlaces.Place, of input: any RandomAccessInput) {
        self.input = input
        range = place.bytes
        (before, after) = place.form == .id3 ? ([], Self.sample) : (Self.sample, [])
    }

    /// Shows a picture as the cover in a tag.
    /// - Parameters:
    ///   - cover: a picture in any format that covers have.
    ///   - input: the file that it came from; nothing more is read of it.
    init(cover: [UInt8], of input: any RandomAccessInput) {
        self.input = input
        range = 0..<0
        before = Self.sample + Self.tag("Cover Art (Front)", Array("cover.jpg\0".utf8) + cover)
        after = []
    }

    /// A file of one sample: its header, the length of its only frame, behind each its CRC-32, and the frame, which nobody decodes.
    /// libav wants at least 32 bytes in front of a tag of APE.
    private static let sample: [UInt8] =
        Array("TTA1".utf8) + [1, 0, 1, 0, 16, 0] + little(44_100) + little(1) + little(0x80AC_CCBE) + little(4)
        + little(0xAE26_484B) + little(0)

    /// A tag of APE with one item, which is no text (APEv2, "APE tag item").
    private static func tag(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let item = little(value.count) + little(2) + Array(key.utf8) + [0] + value
        return item + Array("APETAGEX".utf8) + little(2000) + little(item.count + 32) + little(1) + little(0)
            + little(0)
            + little(0)
    }

    private static func little(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { Array($0) }
    }

    var size: Int64 { Int64(before.count) + Int64(range.count) + Int64(after.count) }

    let fileDescriptor: CInt? = nil

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try readPart(at: offset + Int64(done), into: rest)
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads what lies in one of the three parts.
    private func readPart(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        let place = offset - Int64(before.count)
        guard 0..<Int64(range.count) ~= place else {
            let (own, at) = place < 0 ? (before, offset) : (after, place - Int64(range.count))
            guard at < own.count else { return 0 }
            let piece = own[Int(at)...].prefix(buffer.count)
            buffer.copyBytes(from: piece)
            return piece.count
        }
        let count = min(buffer.count, range.count - Int(place))
        do throws(PluginError) {
            return try input.read(
                at: range.lowerBound + place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        } catch {
            failure = error
            throw error
        }
    }
}

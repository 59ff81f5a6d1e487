import Foundation

/// A file of gigabytes that takes a few kilobytes of a disk: bytes, a hole, which reads as zeros, and bytes again.
struct SparseFile {
    var head: [UInt8]
    var hole: UInt64
    var tail: [UInt8]

    /// Writes it.
    func write(to path: String) throws {
        try Data(head).write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: UInt64(head.count) + hole)
        try file.seekToEnd()
        try file.write(contentsOf: Data(tail))
        try file.close()
    }

    /// A film (ISO/IEC 14496-12) of 2 GiB, nearly all of it a box without meaning.
    /// - Parameters:
    ///   - film: of a few kilobytes.
    ///   - index: where its index begins, its last box; `nil` when that is in front, so that the hole comes last.
    static func film(_ film: [UInt8], index: Int?) -> SparseFile {
        let hole: UInt64 = 2 << 30
        let box = big(1, 4) + Array("free".utf8) + big(hole + 16, 8)
        let split = index ?? film.count
        return SparseFile(head: Array(film[..<split]) + box, hole: hole, tail: Array(film[split...]))
    }

    /// A document (ISO 32000-1) of 500 MB with one page, a scan at its front; its table is at the end.
    /// - Parameter scan: a JPEG of 160 × 120.
    static func document(_ scan: [UInt8]) -> SparseFile {
        let hole: UInt64 = 500_000_000
        var text = "%PDF-1.5\n"
        var offsets: [Int] = []
        func object(_ body: String) {
            offsets.append(text.utf8.count)
            text += "\(offsets.count) 0 obj\n\(body)\nendobj\n"
        }
        object("<</Type/Catalog/Pages 2 0 R>>")
        object("<</Type/Pages/Count 1/Kids[3 0 R]>>")
        object(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>")
        object("<</Length 30>>\nstream\nq 595 0 0 842 0 0 cm /I Do Q   \nendstream")
        offsets.append(text.utf8.count)
        text += "5 0 obj\n<</Type/XObject/Subtype/Image/Width 160/Height 120/ColorSpace/DeviceRGB/BitsPerComponent 8"
        text += "/Filter/DCTDecode/Length \(scan.count)>>\nstream\n"
        var head = Array(text.utf8) + scan + Array("\nendstream\nendobj\n".utf8)
        offsets.append(head.count)
        head += Array("6 0 obj\n<</Length \(hole)>>\nstream\n".utf8)
        var tail = "\nendstream\nendobj\n"
        let table = head.count + Int(hole) + tail.utf8.count
        tail += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            tail += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        tail += "trailer<</Size \(offsets.count + 1)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
        return SparseFile(head: head, hole: hole, tail: Array(tail.utf8))
    }

    /// An archive (PKWARE's APPNOTE) of 1 GiB: a large member, stored as it is, and a picture behind it.
    /// - Parameter picture: the bytes of `photo.jpg`.
    static func archive(_ picture: [UInt8]) -> SparseFile {
        let hole: UInt64 = 1 << 30
        var list: [UInt8] = []
        /// A member's head, and a line in the list.
        func member(_ name: String, _ size: UInt64, _ checksum: UInt32, at place: UInt64) -> [UInt8] {
            let numbers = little(0, 6) + little(0x21, 2) + little(checksum, 4) + little(size, 4) + little(size, 4)
            let name = Array(name.utf8)
            list += little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + numbers + little(name.count, 2)
            list += little(0, 12) + little(place, 4) + name
            return little(0x0403_4B50, 4) + little(20, 2) + numbers + little(name.count, 2) + little(0, 2) + name
        }
        // The checksum of so many zeros; nobody unpacks it.
        let head = member("disk.img", hole, 0x5B64_C2B0, at: 0)
        let place = UInt64(head.count) + hole
        let body = member("photo.jpg", UInt64(picture.count), checksum(picture), at: place) + picture
        let end =
            little(0x0605_4B50, 4) + little(0, 4) + little(2, 2) + little(2, 2) + little(list.count, 4)
            + little(place + UInt64(body.count), 4) + little(0, 2)
        return SparseFile(head: head, hole: hole, tail: body + list + end)
    }

    /// CRC-32 of ISO 3309, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    private static func little(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
        let number = UInt64(value)
        return (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    private static func big(_ value: UInt64, _ count: Int) -> [UInt8] { little(value, count).reversed() }
}

import Finishing
import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import PreviewCache

/// Pictures in other formats than PNG, before and after they are stored.
@Suite struct FinishedPictureTests {
    private static let size = PixelSize(width: 160, height: 120)

    private func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Products.fixtures.appending(path: name)))
    }

    private func check(_ bytes: [UInt8], _ format: PictureFormat, _ size: PixelSize = size, box: Int = 256) throws {
        _ = try FinishedPicture(bytes, format, size: size, box: box)
    }

    @Test(arguments: [
        ("image/grey.jpg", PictureFormat.jpeg), ("image/progressive.jpg", .jpeg), ("image/lossy.webp", .webp),
        ("image/alpha.webp", .webp), ("image/plain.avif", .avif),
    ])
    func onlyWhatIsWholeAndOfItsSizePasses(_ name: String, _ format: PictureFormat) throws {
        let bytes = try fixture(name)
        try check(bytes, format)
        #expect(EntryFile.size(of: bytes, format) == Self.size)
        #expect(throws: PluginError.self) { try check(bytes, format, PixelSize(width: 120, height: 160)) }
        #expect(throws: PluginError.self) { try check(bytes, format, box: 159) }
        #expect(throws: PluginError.self) { try check(bytes + [0], format) }
        for other in PictureFormat.allCases where other != format {
            #expect(throws: PluginError.self) { try check(bytes, other) }
        }
        // No beginning of it passes, and nothing traps.
        for count in 0..<min(bytes.count, 2000) {
            #expect(throws: PluginError.self) { try check(Array(bytes[..<count]), format) }
        }
        for index in 0..<min(bytes.count, 600) {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = bytes
                changed[index] = value
                _ = try? check(changed, format)
            }
        }
    }

    @Test func metadataIsRefused() throws {
        let error = #expect(throws: PluginError.self) { try check(try fixture("image/exif-6.jpg"), .jpeg) }
        #expect(error?.code == .invalidAnswer && error?.message.contains("a segment that has no place there") == true)
        // A chunk of the same kind in WebP.
        var webp = try fixture("image/lossy.webp")
        webp += Array("EXIF".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
        let size = UInt32(webp.count - 8)
        for index in 0..<4 { webp[4 + index] = UInt8(truncatingIfNeeded: size >> UInt32(8 * index)) }
        let other = #expect(throws: PluginError.self) { try check(webp, .webp) }
        #expect(other?.message.contains("a chunk that has no place there") == true)
    }

    @Test(arguments: [("image/grey.jpg", PictureFormat.jpeg), ("image/lossy.webp", .webp), ("image/plain.avif", .avif)])
    func itIsStoredWithItsKeysBehindIt(_ name: String, _ format: PictureFormat) throws {
        let scratch = try Scratch()
        let bytes = try fixture(name)
        var variant = Variant.standard
        variant.finish.format = format
        let subject = Subject(
            uri: "file:///a", modified: Timestamp(seconds: 5), size: 7, mimeType: "application/pdf")
        let facts = Facts(pages: 3, size: PixelSize(width: 9, height: 8), duration: 1.25)
        let path = try bytes.withUnsafeBytes {
            try scratch.cache.store(
                $0, declared: Self.size, for: subject, size: .large, variant: variant, facts: facts,
                placeholder: [1, 2, 3, 4, 5])
        }
        #expect(path.hasSuffix("." + format.suffix))
        #expect(scratch.cache.lookup(subject, size: .large, variant: variant) == .valid(path))
        var changed = subject
        changed.modified = Timestamp(seconds: 6)
        #expect(scratch.cache.lookup(changed, size: .large, variant: variant) == .stale(path))
        let entry = try EntryFile.read(path)
        #expect(entry.starts(with: bytes) && EntryTail.withoutKeys(entry) == bytes)
        let details = try #require(scratch.cache.details(ofEntry: path))
        #expect(details.facts == facts && details.isDurationExact && details.mimeType == "application/pdf")
        #expect(details.placeholder == "AQIDBAU=")
        // A copy for another item is as whole.
        let other = Subject(uri: "file:///elsewhere/b", modified: Timestamp(seconds: 9), size: 7)
        let copy = try scratch.cache.copy(subject, to: other, size: .large, variant: variant)
        #expect(scratch.cache.lookup(other, size: .large, variant: variant) == .valid(copy))
        #expect(EntryTail.withoutKeys(try EntryFile.read(copy)) == bytes)
        #expect(scratch.cache.details(ofEntry: copy) == details)
        #expect(scratch.cache.verify().faults == 0)
        #expect(scratch.cache.remove(other, size: .large, variant: variant))
        // It is collected like any other.
        #expect(scratch.cache.statistics().own.total.count == 1)
        scratch.cache.clear()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatHasNoTailIsNoEntry() throws {
        let scratch = try Scratch()
        let bytes = try fixture("image/grey.jpg")
        for content in [bytes, [], Array(bytes.prefix(40)), bytes + PNG.pixel] {
            let file = try scratch.file("x.jpg", content)
            #expect(scratch.cache.details(ofEntry: file) == nil)
            #expect(EntryTail.withoutKeys(content) == content)
        }
    }
}

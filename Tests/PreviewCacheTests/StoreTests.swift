import CPNGReader
import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct StoreTests {
    private let scratch: Scratch
    private var cache: PreviewCache { scratch.cache }

    init() throws { scratch = try Scratch() }

    @Test func keysAreWrittenBeforeThePixels() throws {
        let facts = Facts(pages: 12, size: PixelSize(width: 4000, height: 3000), duration: 61.5, title: "Über")
        let bytes = try contents(try cache.store(facts: facts))
        #expect(
            PNGFile.keys(bytes) == [
                "Thumb::URI": "file:///home/jens/photos/me.png", "Thumb::MTime": "1700000000",
                "X-Vitrine::Nanoseconds": "123456789", "Thumb::Size": "4321",
                "Thumb::Mimetype": "image/png", "Software": "Vitrine 1.2", "Thumb::Image::Width": "4000",
                "Thumb::Image::Height": "3000", "Thumb::Document::Pages": "12", "Thumb::Movie::Length": "62",
                "X-Vitrine::Milliseconds": "61500",
                "X-Vitrine::Text::title": "%C3%9Cber", "X-Vitrine::Facts": "1",
            ])
        let types = PNGFile.chunks(bytes).map(\.type)
        #expect(types.first == "IHDR" && types.last == "IEND")
        #expect(types.lastIndex(of: "tEXt").map { $0 + 1 } == types.firstIndex(of: "IDAT"))
        #expect(
            PNGFile.keys(bytes).values.allSatisfy { $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } })
    }

    @Test func whatIsNotKnownIsNotWritten() throws {
        let subject = Subject(uri: "file:///x", modified: Timestamp(seconds: 1), mimeType: "text/\u{E4}")
        let facts = Facts(pages: -1, size: PixelSize(width: 0, height: 5), duration: .nan)
        let path = try cache.store(
            nil, subject, size: try PreviewSize(pixels: 300), variant: try Variant(page: 1), facts: facts)
        #expect(
            PNGFile.keys(try contents(path)) == [
                "Thumb::URI": "file:///x", "Thumb::MTime": "1", "X-Vitrine::Nanoseconds": "0",
                "Software": "Vitrine 1.2",
                "X-Vitrine::Size": "300",
                "X-Vitrine::Variant": "page=1", "X-Vitrine::Facts": "1",
            ])
    }

    @Test func detailsAreFoundAgainButNeitherTextNorPlace() throws {
        var facts = Facts(pages: 2, title: "a;b%\u{1B}[2J")
        facts.set(.author, "Ünal Ç.")
        facts.set(.frameRate, 23.976)
        facts.set(.sheetNames, ["a;b", "c d", "東"])
        facts.text = "secret text"
        facts.place = Place(latitude: 12.5, longitude: 77.25)
        let path = try cache.store(facts: facts)
        let details = try #require(cache.details(ofEntry: path))
        #expect(details.areFactsComplete)
        #expect(details.facts.details == facts.details && details.facts.title == "a;b% [2J")
        #expect(details.facts.text == nil && details.facts.place == nil)
        let bytes = try contents(path)
        for word in ["secret", "12.5", "77.25"] { #expect(bytes.firstRange(of: Array(word.utf8)) == nil) }
    }

    @Test func moreDetailsThanFitAreNotCalledComplete() throws {
        var facts = Facts()
        for number in 0..<Facts.detailLimit {
            facts.set(try #require(FactName(rawValue: "fact\(number)")), String(repeating: "é", count: 250))
        }
        let details = try #require(cache.details(ofEntry: try cache.store(facts: facts)))
        #expect(!details.areFactsComplete && details.facts.details.count < Facts.detailLimit)
        #expect(!details.facts.details.isEmpty)
    }

    @Test func aStoredPictureIsReadByLibpng() throws {
        let bytes = try contents(try cache.store(try Sample.picture(colour: 0x60)))
        var pixels = [UInt8](repeating: 0, count: 20 * 10 * 4)
        #expect(cpngreader_pixels(bytes, bytes.count, &pixels, pixels.count) == 0)
        #expect(pixels.allSatisfy { $0 == 0x60 })
        try cache.rememberFailure(PluginError(.corrupt, "broken"), of: Sample.subject, renderer: "png 1")
        let failure = try contents(cache.standard.failPath(Sample.subject.uri))
        var width: CInt = 0
        var height: CInt = 0
        #expect(cpngreader_size(failure, failure.count, &width, &height) == 0)
        #expect((width, height) == (1, 1))
        #expect(cpngreader_pixels(failure, failure.count, &pixels, 4) == 0)
    }

    @Test func longNamesAreStoredAndFound() throws {
        let path = (0..<16).map { _ in "/" + String(repeating: "\u{1}", count: 250) }.joined()
        let subject = Subject(uri: SourceURI(file: path.utf8).text, modified: Timestamp(seconds: 1))
        let stored = try cache.store(nil, subject)
        #expect(cache.lookup(subject, size: .large) == .valid(stored))
    }

    @Test func whatHasNoTimeIsNotStored() throws {
        let subject = Subject(uri: "s3://bucket/key", modified: nil)
        let error = #expect(throws: PluginError.self) { try cache.store(nil, subject) }
        #expect(error?.isPermanent == false)
        #expect(scratch.files == [])
    }

    @Test func aPictureThatIsNotAsDeclaredIsRefusedAndNothingWritten() throws {
        let picture = try Sample.picture(20, 10)
        for (width, height) in [(10, 20), (20, 11), (0, 10), (20, -1), (300, 10), (.max, .max)] {
            let error = #expect(throws: PluginError.self) {
                try picture.withUnsafeBytes {
                    try cache.store(
                        $0, declared: PixelSize(width: width, height: height), for: Sample.subject, size: .large)
                }
            }
            #expect(error?.code == .invalidAnswer, "\(width) × \(height)")
        }
        #expect(scratch.files == [])
    }

    @Test func everyWrongByteInAPictureIsFound() throws {
        let picture = try Sample.picture()
        for index in picture.indices {
            var bad = picture
            bad[index] ^= 1
            let error = #expect(throws: PluginError.self) { try cache.store(bad) }
            #expect(error?.code == .invalidAnswer, "byte \(index)")
            let short = #expect(throws: PluginError.self) { try cache.store(Array(picture[..<index])) }
            #expect(short?.code == .invalidAnswer, "\(index) bytes")
        }
        #expect(scratch.files == [])
        try cache.store(picture)
    }

    @Test func nothingHidesInAPicture() throws {
        let picture = try Sample.picture()
        let head = Array(picture[..<PNG.headLength])
        let rest = Array(picture[PNG.headLength...])
        func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
            var file = PNGFile()
            file.bytes = []
            file.add(type, data)
            return file.bytes
        }
        var header = PNGFile.chunks(picture)[0].data
        header[12] = 1
        let bad: [String: [UInt8]] = [
            "text": head + chunk("tEXt", Array("Thumb::URI\0file:///etc/passwd".utf8)) + rest,
            "colour profile": head + chunk("iCCP", [1, 2, 3]) + rest,
            "palette": head + chunk("PLTE", [1, 2, 3]) + rest,
            "second header": head + Array(head[8...]) + rest,
            "animation": head + chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0]) + rest,
            "byte after the end": picture + [0], "picture after the end": picture + picture,
            "data in the end": Array(picture.dropLast(12)) + chunk("IEND", [1]), "no end": Array(picture.dropLast(12)),
            "no pixels": head + PNG.end, "empty pixels": head + chunk("IDAT") + PNG.end,
            "no header": PNG.signature + rest, "only a signature": PNG.signature, "nothing": [],
            "interlaced": PNG.signature + chunk("IHDR", header) + rest,
            "flood": head + chunk("IDAT", [UInt8](repeating: 0, count: 100_000)) + rest,
        ]
        for (name, bytes) in bad {
            let error = #expect(throws: PluginError.self, "\(name)") { try cache.store(bytes) }
            #expect(error?.code == .invalidAnswer, "\(name)")
        }
        #expect(scratch.files == [])
    }

    @Test func aFailureIsRememberedUntilTheItemChanges() throws {
        let subject = Sample.subject
        #expect(cache.failure(of: subject) == nil)
        let message = "'Prüfung 100%.pdf' is broken\nat byte 7: \u{1F600}"
        #expect(try cache.rememberFailure(PluginError(.encrypted, message), of: subject, renderer: "pdf 1.0.0"))
        #expect(
            cache.failure(of: subject) == RememberedFailure(code: .encrypted, message: message, renderer: "pdf 1.0.0"))
        var changed = subject
        changed.modified = Timestamp(seconds: 1_700_000_001)
        #expect(cache.failure(of: changed) == nil)
        changed.modified = nil
        #expect(cache.failure(of: changed) == nil)
        let upgraded = PreviewCache(folders: cache.folders, version: "1.3")
        #expect(upgraded.failure(of: subject) == nil)
        // One of another state is there, and can be forgotten.
        var isAbsent = true
        changed.modified = Timestamp(seconds: 1)
        #expect(cache.failure(of: changed, isAbsent: &isAbsent) == nil && !isAbsent)
        cache.forgetFailure(of: subject)
        #expect(cache.failure(of: subject, isAbsent: &isAbsent) == nil && isAbsent)
        #expect(cache.lookup(subject, size: .large) == .absent)
    }

    @Test func aPassingFailureIsNotRemembered() throws {
        for code in [PluginError.Code.io, .noSpace, .offline, .cancelled, .changed] {
            #expect(try !cache.rememberFailure(PluginError(code, "passing"), of: Sample.subject, renderer: ""))
        }
        let timeless = Subject(uri: "s3://b/k", modified: nil)
        #expect(try !cache.rememberFailure(PluginError(.corrupt, ""), of: timeless, renderer: ""))
        #expect(scratch.files == [])
    }

    @Test func aLongMessageIsCut() throws {
        let error = PluginError(.corrupt, String(repeating: "ü", count: 10_000))
        try cache.rememberFailure(error, of: Sample.subject, renderer: "pdf 1")
        #expect(cache.failure(of: Sample.subject)?.message == String(repeating: "ü", count: 500))
    }

    @Test func whatLayInsideIsValidForWhomItSuffices() throws {
        func states(_ mark: EmbeddedMark?) throws -> [EmbeddedUse: Bool] {
            let picture = try Sample.picture()
            let path = try picture.withUnsafeBytes {
                try cache.store(
                    $0, declared: PixelSize(width: 20, height: 10), for: Sample.subject, size: .large, embedded: mark)
            }
            #expect(cache.details(ofEntry: path)?.embedded == mark)
            return Dictionary(
                uniqueKeysWithValues: EmbeddedUse.allCases.map {
                    ($0, cache.lookup(Sample.subject, size: .large, embedded: $0) == .valid(path))
                })
        }
        #expect(try states(nil) == [.auto: true, .prefer: true, .never: true])
        let name = "EXIF thumbnail"
        #expect(try states(EmbeddedMark(use: .auto, name: name)) == [.auto: true, .prefer: true, .never: false])
        #expect(try states(EmbeddedMark(use: .prefer, name: name)) == [.auto: false, .prefer: true, .never: false])
        // As the settings say, where nobody does.
        var other = cache
        other.embeddedUse = .prefer
        #expect(cache.lookup(Sample.subject, size: .large) != other.lookup(Sample.subject, size: .large))
    }
}

import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

/// What is no picture, damaged, or too large.
@Suite struct BadDICOMTests {
    private func error(_ file: WrittenDICOM) throws -> PluginError {
        try #require(#expect(throws: PluginError.self) { try DICOMRendererTests.draw(file.bytes) })
    }

    @Test(
        "What holds no picture is named",
        arguments: [
            ("1.2.840.10008.1.3.10", "DICOMDIR"), ("1.2.840.10008.5.1.4.1.1.88.11", "structured report"),
            ("1.2.840.10008.5.1.4.1.1.481.5", "RTPlanStorage"),
        ])
    func others(kind: String, words: String) throws {
        let error = try error(WrittenDICOM(kind: kind))
        #expect(error.code == .unsupported && error.message.contains(words), "\(error)")
    }

    @Test("Documents, films, fractions and unknown ways of packing are named")
    func otherContents() throws {
        var document = WrittenDICOM(kind: "1.2.840.10008.5.1.4.1.1.104.1")
        document.set(0x42, 0x11, "OB", Array("%PDF-1.4".utf8))
        document.set(0x42, 0x12, "LO", "application/pdf")
        var film = WrittenDICOM(
            width: 2, height: 1, colours: "YBR_PARTIAL_420", syntax: WrittenDICOM.film, pieces: [[0, 0]])
        var fractions = WrittenDICOM(kind: "1.2.840.10008.5.1.4.1.1.30")
        fractions.set(0x7FE0, 0x08, "OF", [0, 0, 0x80, 0x3F])
        for (file, words) in [(document, "(application/pdf)"), (film, "a film"), (fractions, "fractions")] {
            let error = try error(file)
            #expect(error.code == .unsupported && error.message.contains(words), "\(error)")
        }
        film.syntax = "1.2.840.10008.1.2.4.999"
        #expect(try error(film).message.contains("(1.2.840.10008.1.2.4.999)"))
    }

    @Test("Pictures beyond the limit are refused before they are decoded")
    func limits() throws {
        let bytes = try Fixtures.bytes("image/window.dcm")
        #expect(failure { try DICOMRendererTests.draw(bytes, maximumPixels: 80 * 60 - 1) } == .limitExceeded)
        #expect(failure { try DICOMRendererTests.draw(bytes, maximumPixels: 80 * 60) } == nil)
        #expect(failure { try DICOMRendererTests.draw(try Fixtures.bytes("bad/huge-claim.dcm")) } == .limitExceeded)
    }

    @Test("As many frames as are told are believed, as far as there is room for them")
    func claims() throws {
        var file = WrittenDICOM(width: 2, height: 2, [0, 1, 2, 3, 4, 5, 6, 7])
        for (told, pages) in [("2", 2), ("2147483647", 2), ("-1", 1), ("1", 1)] {
            file.set(0x28, 0x08, "IS", told)
            #expect(try DICOMRendererTests.draw(file.bytes).facts.pages == pages, "\(told)")
        }
        file.set(0x28, 0x11, 9)
        #expect(try error(file).code == .corrupt)
        // Frames of single bits begin within a byte.
        file.setShape(width: 9, height: 7, samples: 1, colours: "MONOCHROME2", bits: 1)
        file.set(0x28, 0x08, "IS", "3")
        file.set(0x7FE0, 0x10, "OB", [UInt8](repeating: 0x55, count: 24))
        #expect(try DICOMRendererTests.draw(file.bytes, page: 2).facts.pages == 3)
        for (number, value) in [(0x10, 0), (0x11, 0), (0x02, 0), (0x02, 5), (0x100, 0), (0x100, 65_535)] {
            var odd = WrittenDICOM(width: 2, height: 2, [0, 1, 2, 3])
            odd.set(0x28, number, value)
            #expect(try error(odd).code == .corrupt, "\(number) is \(value)")
        }
    }

    @Test("Pieces without a byte are damage, however many there are", arguments: [1, 100_000])
    func emptyPieces(count: Int) throws {
        for syntax in [WrittenDICOM.rle, WrittenDICOM.baseline, WrittenDICOM.jpeg2000] {
            let pieces = [[UInt8]](repeating: [], count: count)
            var file = WrittenDICOM(width: 64, height: 64, colours: "RGB", syntax: syntax, pieces: pieces)
            #expect(try error(file).code == .corrupt, "\(syntax)")
            file.set(0x28, 0x08, "IS", String(count))
            #expect(try error(file).code == .corrupt, "\(syntax)")
        }
    }

    @Test(
        "Segments of RLE lie in their piece, one behind the other",
        arguments: [
            [3, 64, 66, 8_390_408], [3, 64, 66, 65], [3, 0, 64, 66], [3, 64, 66, 71], [0, 64], [16, 64],
            [0xFFFF_FFFF, 64],
        ])
    func segments(head: [Int]) throws {
        #expect(try error(Self.runs(head)).code == .corrupt)
        let picture = RGBAPicture(try DICOMRendererTests.draw(Self.runs([3, 64, 66, 68]).bytes).bitmap)
        #expect(Array(picture.pixels.prefix(3)) == [1, 2, 3])
    }

    /// A picture in three segments, each a run of twelve equal bytes; `head` says where they begin.
    private static func runs(_ head: [Int]) -> WrittenDICOM {
        var piece: [UInt8] = []
        for number in head + [Int](repeating: 0, count: 16 - head.count) { piece += little(number, 4) }
        piece += [0xF5, 1, 0xF5, 2, 0xF5, 3]
        return WrittenDICOM(width: 4, height: 3, colours: "RGB", syntax: WrittenDICOM.rle, pieces: [piece])
    }

    @Test(
        "JPEG with markers that are in no such place is refused", .timeLimit(.minutes(10)),
        arguments: [
            [0xFF, 0x01], [0xFF, 0xD8, 0xFF, 0x01], [0xFF, 0xD8, 0xFF, 0xD0], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0],
            [0xFF, 0xD8, 0],
        ] as [[UInt8]])
    func markers(head: [UInt8]) throws {
        let picture = try Fixtures.bytes("image/plain.jpg")
        let file = WrittenDICOM(
            width: 160, height: 120, colours: "YBR_FULL_422", syntax: WrittenDICOM.baseline,
            pieces: [head + picture.dropFirst(head.count)])
        #expect(try error(file).code == .corrupt)
    }

    @Test("Of a JPEG smaller than the file says, nothing is filled with an earlier picture")
    func smaller() throws {
        let colours = try Fixtures.bytes("image/plain.jpg"), grey = try Fixtures.bytes("image/grey.jpg")
        func file(_ piece: [UInt8], _ height: Int, _ width: Int, samples: Int, bits: Int = 8) -> WrittenDICOM {
            var file = WrittenDICOM(
                width: width, height: height, colours: "RGB", syntax: WrittenDICOM.baseline, pieces: [piece])
            file.setShape(
                width: width, height: height, samples: samples, colours: samples == 1 ? "MONOCHROME2" : "RGB",
                bits: bits)
            return file
        }
        for whole in [file(colours, 120, 160, samples: 3), file(grey, 120, 160, samples: 1)] {
            _ = try DICOMRendererTests.draw(whole.bytes)
        }
        for short in [
            file(colours, 240, 160, samples: 3), file(colours, 120, 320, samples: 3),
            file(grey, 120, 160, samples: 3), file(grey, 120, 161, samples: 1),
            file(grey, 120, 160, samples: 1, bits: 16), file(colours, 120, 160, samples: 4),
        ] { #expect(try error(short).code == .corrupt) }
        // Without the segment that says how large it is.
        let segment = try #require(grey.firstRange(of: [0xFF, 0xC0])).lowerBound
        for end in [segment, segment + 9] {
            #expect(try error(file(Array(grey[..<end]), 120, 160, samples: 1)).code == .corrupt)
        }
    }

    @Test("Palettes beside a picture in JPEG 2000 do not make its colours fewer")
    func palette() throws {
        let piece = try Fixtures.bytes("image/plain.jp2")
        let start = try #require(piece.firstRange(of: Array("jp2h".utf8))).upperBound
        let header = start - 8..<start - 8 + Int(piece[start - 5])
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0] + little((8 + content.count).byteSwapped >> 48, 2) + Array(name.utf8) + content
        }
        // One colour of 256, made of the first component.
        let palette = box("pclr", [1, 0, 1, 7] + (0...255).map { UInt8($0) }) + box("cmap", [0, 0, 1, 0])
        let changed = piece[..<header.lowerBound] + box("jp2h", Array(piece[start..<header.upperBound]) + palette)
        let file = WrittenDICOM(
            width: 160, height: 120, colours: "RGB", syntax: WrittenDICOM.jpeg2000,
            pieces: [Array(changed + piece[header.upperBound...])])
        let drawn = RGBAPicture(try DICOMRendererTests.draw(file.bytes).bitmap)
        #expect(QuadrantCheck(drawn).arrangement == .upright)
    }

    @Test("What stands where a code belongs is not repeated")
    func words() throws {
        var document = WrittenDICOM(kind: "DOE^JANE")
        #expect(try !error(document).message.contains("DOE"))
        document.set(0x42, 0x11, "OB", [1])
        document.set(0x42, 0x12, "LO", "Jane Doe")
        #expect(try !error(document).message.contains("Doe"))
        var syntax = WrittenDICOM(width: 2, height: 1, [0, 1])
        syntax.syntax = "1.2.840.10008.1.2.4.DOE"
        #expect(try !error(syntax).message.contains("DOE"))
    }

    @Test("Lists in lists without an end are given up")
    func depth() throws {
        let file = WrittenDICOM(width: 2, height: 1, [0, 1])
        // A list without a length, and in it an item without one.
        let level =
            little(0x40, 2) + little(0xA730, 2) + Array("SQ".utf8) + [0, 0] + little(0xFFFF_FFFF, 4)
            + little(0xFFFE, 2) + little(0xE000, 2) + little(0xFFFF_FFFF, 4)
        let picture = try #require(file.bytes.firstRange(of: little(0x28, 2) + little(0x02, 2)))
        let deep = Array(file.bytes[..<picture.lowerBound]) + (0..<200_000).flatMap { _ in level }
        #expect(failure { try DICOMRendererTests.draw(deep) } == .limitExceeded)
    }

    @Test("What is damaged, cut off or something else ends in a picture or in a sentence")
    func damage() throws {
        #expect(failure { try DICOMRendererTests.draw([]) } == .empty)
        for name in ["bad/truncated.dcm", "bad/random.dcm", "image/rgb-8.png", "pdf/plain.pdf"] {
            #expect(failure { try DICOMRendererTests.draw(try Fixtures.bytes(name)) } == .corrupt, "\(name)")
        }
        for name in ["window", "frames"] {
            let bytes = try Fixtures.bytes("image/\(name).dcm")
            var refused = 0
            for at in stride(from: 132, to: bytes.count, by: 41) {
                var damaged = bytes
                damaged[at] ^= 0xFF
                do { _ = try DICOMRendererTests.draw(damaged) } catch let error as PluginError {
                    refused += 1
                    #expect([.corrupt, .unsupported, .limitExceeded].contains(error.code), "\(at): \(error)")
                }
            }
            #expect(refused > 0)
        }
    }
}

import CPackage
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import PackageRenderer

/// Previews that lie at places of their programs' own, in files that are no zip files.
@Suite(.serialized) struct PreviewPlaceTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, embedded: EmbeddedUse = .auto
    ) throws -> Rendering {
        let renderer = try PackageRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: 1 << 20))
        var request = RenderRequest(box: box, mimeType: "application/octet-stream")
        request.embedded = embedded
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8], embedded: EmbeddedUse = .auto) -> PluginError.Code? {
        let error = #expect(throws: PluginError.self) { try draw(bytes, embedded: embedded) }
        return error?.code
    }

    /// Bytes with others in the place of some.
    private static func changed(_ bytes: [UInt8], _ at: Int, _ new: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(at..<at + new.count, with: new)
        return bytes
    }

    private static let names = [
        "letter.hwp", "part.sldprt", "plan.dwg", "plan-old.dwg", "house.skp", "poster.afdesign", "painting.clip",
        "brochure.indd",
    ]

    @Test("It keeps the renderer's contract", arguments: names + ["drawing.cdr", "newer.cdr", "letter.hwpx"])
    func conformance(name: String) throws {
        let bytes = try Fixtures.bytes("package/\(name)")
        let sample = RendererSample(name, mimeType: "application/octet-stream", bytes: bytes)
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try PackageRenderer(environment)
        }
        #expect(suite.violations() == [])
        let rendering = try Self.draw(bytes)
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        #expect(rendering.bitmap.width == 160 && rendering.embedded != nil && rendering.facts.size == nil)
        #expect(Self.failure(bytes, embedded: .never) == .unsupported)
    }

    @Test("A file that is cut off anywhere is drawn from what is there, or says what is wrong", arguments: names)
    func cutOff(name: String) throws {
        let bytes = try Fixtures.bytes("package/\(name)")
        let steps = stride(from: 33, to: bytes.count, by: max(1, bytes.count / 200))
        for count in Array(1...32) + Array(steps) {
            do {
                _ = try Self.draw(Array(bytes.prefix(count)))
            } catch let error as PluginError {
                #expect([.corrupt, .unsupported].contains(error.code), "\(name) of \(count) bytes: \(error.message)")
            }
        }
    }

    @Test("The head of a drawing lies about its pictures")
    func drawing() throws {
        let bytes = try Fixtures.bytes("package/plan.dwg")
        // Where the list lies, the sentinel, how many there are.
        #expect(Self.failure(Self.changed(bytes, 13, [0, 0, 0, 0])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 13, [255, 255, 255, 255])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 70, [0])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 84, [0])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 84, [1])) == .unsupported)
        #expect(try Self.draw(Self.changed(bytes, 84, [255])).bitmap.width == 160)
        // The kind of the second picture, where it begins, how long it is.
        #expect(Self.failure(Self.changed(bytes, 94, [9])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 94, [2])) == .corrupt)
        #expect(Self.failure(Self.changed(bytes, 95, [0, 0, 0, 0x70])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 99, [255, 255, 255, 255])) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, 99, [60, 0, 0, 0])) == .corrupt)
    }

    @Test("The preview of a compound file is a stream, as a picture or behind a few numbers, or one of its properties")
    func compound() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        #expect(try Self.draw(compoundFile([("RevitPreview4.0", [9, 0, 0, 0, 7] + picture)])).bitmap.width == 160)
        let device =
            little(40, 4) + little(64, 4) + little(48, 4) + little(1, 2) + little(24, 2) + little(0, 24)
            + [UInt8](repeating: 99, count: 64 * 48 * 3)
        let header = Array("BM".utf8) + little(54 + 64 * 48 * 3, 4) + little(0, 4) + little(54, 4)
        #expect(try Self.draw(compoundFile([("PrvImage", header + device)])).bitmap.width == 64)
        #expect(Self.failure(compoundFile([("PrvImage", header + device.prefix(300))])) == .corrupt)
        #expect(Self.failure(compoundFile([("PreviewPNG", Array(picture.prefix(90)))])) == .corrupt)
        #expect(Self.failure(compoundFile([("PreviewPNG", [1, 2, 3])])) == .unsupported)
        let value = little(-1, 4) + little(8, 4) + device
        let properties =
            little(0xFFFE, 2) + [UInt8](repeating: 0, count: 42) + little(48, 4) + little(0, 4) + little(1, 4)
            + little(17, 4) + little(16, 4) + little(71, 4) + little(value.count, 4) + value
        #expect(try Self.draw(compoundFile([("\u{5}SummaryInformation", properties)])).bitmap.width == 64)
        #expect(Self.failure(compoundFile([("\u{5}SummaryInformation", Array(properties.prefix(70)))])) == .unsupported)
        #expect(Self.failure(compoundFile([("Contents", [1])])) == .unsupported)
        // Of several pictures one that can be decoded is taken; if there is none, the first one's fault is told.
        let cut = Array(picture.prefix(90))
        #expect(try Self.draw(compoundFile([("PrvImage", cut), ("PreviewPNG", picture)])).bitmap.width == 160)
        let own = ("\u{5}SummaryInformation", properties)
        #expect(try Self.draw(compoundFile([("PrvImage", [1, 2, 3]), own])).bitmap.width == 64)
        #expect(Self.failure(compoundFile([("PrvImage", cut), ("PreviewPNG", [1, 2, 3])])) == .corrupt)
        // Of 32 bits, and wider than others.
        let (deep, wide) = (Self.changed(device, 14, [32]), Self.changed(device, 4, [0, 0x20]))
        for bytes in [deep, wide] {
            #expect(Self.failure(compoundFile([("PrvImage", header + bytes)])) == .unsupported)
        }
        // What is short, as no file has it.
        #expect(Self.failure(Self.changed(compoundFile([("PrvImage", picture)]), 58, [1])) == .corrupt)
    }

    @Test("Of pictures that lie anywhere the first is taken that is whole, wherever the blocks end that are searched")
    func loose() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let head: [UInt8] = [0, 0xFF, 0x4B, 0x41]
        let signature = Array(picture.prefix(8))
        for gap in [0, (1 << 20) - 8, (1 << 20) - 4, 1 << 20] {
            let file = head + [UInt8](repeating: 0, count: gap) + picture
            #expect(try Self.draw(file).bitmap.width == 160, "\(gap)")
        }
        #expect(try Self.draw(head + signature + signature + picture).bitmap.width == 160)
        #expect(Self.failure(head + signature) == .unsupported)
        #expect(Self.failure(head + signature + [255, 255, 255, 255] + Array("IDAT".utf8)) == .unsupported)
        #expect(Self.failure(head + signature + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]) == .corrupt)
        #expect(Self.failure(head + (try Fixtures.bytes("bad/huge-claim.png"))) == .limitExceeded)
        #expect(Self.failure(head + [UInt8](repeating: 7, count: 3 << 20)) == .unsupported)
        // A file elsewhere is not fetched as a whole for it.
        #expect(Self.failure(head + [UInt8](repeating: 7, count: 5 << 20) + picture) == .unsupported)
    }

    @Test("A painting's database is asked for the largest picture, and may have none, or be none")
    func canvas() throws {
        let bytes = try Fixtures.bytes("package/painting.clip")
        let chunk = try #require(bytes.firstRange(of: Array("CHNKSQLi".utf8))).lowerBound
        #expect(Self.failure(Self.changed(bytes, chunk, Array("CHNKNone".utf8))) == .corrupt)
        #expect(Self.failure(Self.changed(bytes, chunk + 8, [UInt8](repeating: 255, count: 8))) == .corrupt)
        #expect(Self.failure(Self.changed(bytes, chunk + 16, Array("SQLite format 4".utf8))) == .corrupt)
        #expect(Self.failure(Self.changed(bytes, 16, [UInt8](repeating: 255, count: 8))) == .corrupt)
        // A chunk that leads back to itself has no length of its own: the way ends at the end of the file.
        #expect(Self.failure(Self.changed(bytes, 23, [0])) == .corrupt)
        let table = try #require(bytes.firstRange(of: Array("CREATE TABLE CanvasPreview".utf8))).upperBound
        #expect(Self.failure(Self.changed(bytes, table - 1, Array("v".utf8))) != nil)
        // All of it but the head of the database.
        let noise = (0..<(bytes.count - chunk - 200)).map { UInt8(truncatingIfNeeded: $0 &* 7919) }
        #expect(Self.failure(Self.changed(bytes, chunk + 116, noise)) != nil)
    }

    /// A painting with pictures of these widths in its database.
    private static func painting(_ pictures: [(width: Int32, bytes: [UInt8])]) throws -> [UInt8] {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        defer { sqlite3_close(database) }
        #expect(sqlite3_open(":memory:", &database) == SQLITE_OK)
        #expect(
            sqlite3_exec(database, "CREATE TABLE CanvasPreview(ImageWidth INT, ImageData BLOB)", nil, nil, nil)
                == SQLITE_OK)
        sqlite3_prepare_v2(database, "INSERT INTO CanvasPreview VALUES(?, ?)", -1, &statement, nil)
        for (width, bytes) in pictures {
            sqlite3_bind_int(statement, 1, width)
            bytes.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob(statement, 2, bytes.baseAddress, Int32(bytes.count), nil)
                #expect(sqlite3_step(statement) == SQLITE_DONE)
            }
            sqlite3_reset(statement)
        }
        sqlite3_finalize(statement)
        var size: Int64 = 0
        let copy = try #require(sqlite3_serialize(database, "main", &size, 0))
        defer { sqlite3_free(copy) }
        let chunk =
            Array("CHNKSQLi".utf8) + little(Int(size), 8).reversed()
            + UnsafeBufferPointer(start: copy, count: Int(size))
        return Array("CSFCHUNK".utf8) + little(24 + chunk.count, 8).reversed() + little(24, 8).reversed() + chunk
    }

    @Test("A painting's pictures may be large, and the largest is taken wherever it stands")
    func largeCanvas() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let large = picture + [UInt8](repeating: 0, count: 4 << 20)
        for pictures in [[(160, large)], [(9, [1, 2, 3]), (160, large), (8, large)]] as [[(Int32, [UInt8])]] {
            #expect(try Self.draw(try Self.painting(pictures.map { ($0.0, $0.1) })).bitmap.width == 160)
        }
        #expect(Self.failure(try Self.painting([(160, Array(large[100...]))])) == .unsupported)
        #expect(Self.failure(try Self.painting([])) == .unsupported)
    }

    @Test("The preview of a painting of Paint.NET stands in its header, if it was saved with one")
    func painting() throws {
        let bytes = try Fixtures.bytes("package/painting.pdn")
        #expect(try Self.draw(bytes).bitmap.width == 160)
        let mark = try #require(bytes.firstRange(of: Array("<thumb".utf8)))
        #expect(Self.failure(Self.changed(bytes, mark.lowerBound, Array("<other".utf8))) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, mark.upperBound + 6, Array("????????".utf8))) == .unsupported)
        for count in [4, 6, 7, 60, mark.upperBound + 100] {
            #expect(Self.failure(Array(bytes.prefix(count))) == .corrupt, "\(count)")
        }
        #expect(Self.failure(Self.changed(bytes, 4, [255, 255, 255])) == .corrupt)
        #expect(Self.failure(Self.changed(bytes, 4, [0, 0, 0])) == .unsupported)
    }

    @Test("The preview of a document of InDesign is found among its metadata, if it was saved with one")
    func layout() throws {
        let bytes = try Fixtures.bytes("package/brochure.indd")
        let mark = try #require(bytes.firstRange(of: Array("GImg:image>".utf8)))
        #expect(Self.failure(Self.changed(bytes, mark.lowerBound, Array("None".utf8))) == .unsupported)
        #expect(Self.failure(Self.changed(bytes, mark.upperBound, Array("????????".utf8))) == .unsupported)
        #expect(Self.failure(Array(bytes[..<mark.upperBound]) + Array("</x>".utf8)) == .unsupported)
        // What is wrong with the only picture is told, and not with what stands behind it.
        let begun = Array(bytes[..<(mark.upperBound + 40)])
        #expect(Self.failure(begun + Array("</xmpGImg:image></x>".utf8)) == .corrupt)
        #expect(Self.failure(begun) == .corrupt)
        #expect(Self.failure(begun + [UInt8](repeating: 0x41, count: 8 << 20)) == .limitExceeded)
        // One that is damaged leaves the next one.
        let image = Array("<xmpGImg:image>".utf8) + bytes[mark.upperBound...]
        #expect(try Self.draw(begun + Array("</xmpGImg:image>".utf8) + image).bitmap.width == 160)
    }
}

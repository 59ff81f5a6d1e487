import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

/// Pictures of telescopes, which use a part of their numbers, or have another part before them.
@Suite struct FITSPictureTests {
    /// A part of a file: lines of a header, and numbers, each with its highest byte first.
    private func part(_ lines: [(String, String)], _ numbers: [[UInt8]] = []) -> [UInt8] {
        func filled(_ bytes: [UInt8], with filling: UInt8) -> [UInt8] {
            bytes + [UInt8](repeating: filling, count: (2880 - bytes.count % 2880) % 2880)
        }
        let text = (lines.map { $0.padded(8) + "= " + $1 } + ["END"]).map { $0.padded(80) }.joined()
        return filled(Array(text.utf8), with: 0x20) + filled(numbers.flatMap(\.self), with: 0)
    }

    private func picture(
        _ bits: Int, _ sides: [Int], _ numbers: [[UInt8]], more: [(String, String)] = []
    ) -> [UInt8] {
        let axes = sides.enumerated().map { ("NAXIS\($0 + 1)", "\($1) / pixels") }
        return part(
            [("SIMPLE", "T"), ("BITPIX", "\(bits)"), ("NAXIS", "\(sides.count)")] + axes + more, numbers)
    }

    private func draw(_ bytes: [UInt8]) throws(PluginError) -> Rendering {
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: 64, mimeType: "application/fits"))
    }

    /// The greys of a picture from its top left.
    private func greys(_ bytes: [UInt8]) throws(PluginError) -> [UInt8] {
        let picture = RGBAPicture(try draw(bytes))
        return (0..<picture.height).flatMap { y in (0..<picture.width).map { picture.pixel(x: $0, y: y).red } }
    }

    private func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    @Test("The part of the numbers that is used goes from black to white, the first row below")
    func used() throws {
        let wanted: [UInt8] = [170, 255, 0, 85]
        let steps = [0, 1, 2, 3]
        #expect(try greys(picture(16, [2, 2], steps.map { bytes(Int16(-300 + $0)) })) == wanted)
        #expect(try greys(picture(32, [2, 2], steps.map { bytes(Int32(70_000 + $0)) })) == wanted)
        #expect(try greys(picture(64, [2, 2], steps.map { bytes(Int64($0) << 40) })) == wanted)
        #expect(try greys(picture(-32, [2, 2], steps.map { bytes((Float($0) / 1e6).bitPattern) })) == wanted)
        #expect(try greys(picture(-64, [2, 2], steps.map { bytes((Double($0) * 1e99).bitPattern) })) == wanted)
        // Bytes are shown as they are.
        #expect(try greys(picture(8, [2, 2], [[1], [2], [3], [4]])) == [3, 4, 1, 2])
        let turned = [("BSCALE", "-1.0")]
        #expect(try greys(picture(16, [2, 2], steps.map { bytes(Int16($0)) }, more: turned)) == [85, 0, 255, 170])
        #expect(try greys(picture(8, [2, 1], [[0], [255]], more: turned)) == [255, 0])
    }

    @Test("A bright star leaves the rest visible, and what has no number is black")
    func outliers() throws {
        var numbers = (0..<1000).map { bytes(Int16($0 / 500)) }
        numbers[999] = bytes(Int16.max)
        let drawn = try greys(picture(16, [50, 20], numbers))
        #expect(Set(drawn) == [0, 255] && drawn.count { $0 == 255 } == 500)
        let holes = [bytes(Float.nan.bitPattern), bytes(Float(5).bitPattern), bytes(Float(6).bitPattern)]
        #expect(try greys(picture(-32, [3, 1], holes)) == [0, 0, 255])
        let blank = [bytes(Int16(-9)), bytes(Int16(5)), bytes(Int16(6))]
        #expect(try greys(picture(16, [3, 1], blank, more: [("BLANK", "-9")])) == [0, 0, 255])
        #expect(try greys(picture(16, [2, 1], [bytes(Int16(7)), bytes(Int16(7))])) == [0, 0])
        for most in [Double.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            let numbers = [bytes((-most).bitPattern), bytes(most.bitPattern), bytes(Double.infinity.bitPattern)]
            #expect(try greys(picture(-64, [3, 1], numbers)).count == 3)
        }
    }

    @Test("Three planes are colours, and a picture may stand behind other parts")
    func parts() throws {
        let planes = picture(8, [1, 1, 3], [[10], [20], [30]])
        #expect(RGBAPicture(try draw(planes)).pixels == [10, 20, 30, 255])
        let empty = part([("SIMPLE", "T"), ("BITPIX", "8"), ("NAXIS", "0"), ("OBJECT", "'M 31    ' / a galaxy")])
        // No numbers at all, and groups of them.
        let flat = part(
            [
                ("XTENSION", "'IMAGE'"), ("BITPIX", "8"), ("NAXIS", "3"), ("NAXIS1", "2"), ("NAXIS2", "2"),
                ("NAXIS3", "0"),
            ])
        let groups = part(
            [
                ("XTENSION", "'IMAGE'"), ("BITPIX", "16"), ("NAXIS", "2"), ("NAXIS1", "0"), ("NAXIS2", "1500"),
                ("GROUPS", "T"), ("GCOUNT", "2"), ("PCOUNT", "1"),
            ], [[UInt8](repeating: 0x20, count: 2 * 2 * 1501)])
        let table = part(
            [
                ("XTENSION", "'BINTABLE'"), ("BITPIX", "8"), ("NAXIS", "2"), ("NAXIS1", "4"), ("NAXIS2", "2"),
                ("PCOUNT", "3"),
            ],
            [[UInt8](repeating: 9, count: 11)])
        let image = part(
            [
                ("XTENSION", "'IMAGE   '"), ("BITPIX", "8"), ("NAXIS", "2"), ("NAXIS1", "2"), ("NAXIS2", "1"),
                ("OBJECT", "'Barnard''s ''x''  ' / it's a star"), ("DATE-OBS", "'2024-05-03T14:02:11'"),
            ], [[7], [8]])
        let made = try draw(empty + flat + groups + table + image)
        #expect(RGBAPicture(made).pixels == [7, 7, 7, 255, 8, 8, 8, 255])
        #expect(made.facts.title == "Barnard's 'x'" && made.facts.text(.created) == "2024-05-03T14:02:11")
    }

    @Test("What holds no picture, too few numbers or nonsense is refused")
    func refused() {
        func code(_ bytes: [UInt8]) -> PluginError.Code? {
            do throws(PluginError) {
                _ = try draw(bytes)
                return nil
            } catch { return error.code }
        }
        #expect(code(part([("SIMPLE", "T"), ("BITPIX", "8"), ("NAXIS", "0")])) == .empty)
        #expect(code(picture(16, [9], [])) == .empty)
        let packed = part([
            ("XTENSION", "'BINTABLE'"), ("BITPIX", "8"), ("NAXIS", "2"), ("NAXIS1", "0"), ("NAXIS2", "0"),
            ("ZIMAGE", "T"),
        ])
        #expect(code(part([("SIMPLE", "T"), ("BITPIX", "8"), ("NAXIS", "0")]) + packed) == .unsupported)
        #expect(code(picture(16, [2, 2], [])) == .corrupt)
        let empty = part([("SIMPLE", "T"), ("BITPIX", "8"), ("NAXIS", "0")])
        #expect(code(empty + picture(8, [2, 2], [[1], [2], [3], [4]]).prefix(80)) == .empty)
        #expect(code(empty + part([("XTENSION", "'IMAGE'"), ("BITPIX", "8")]).prefix(800)) == .corrupt)
        #expect(code(part([("SIMPLE", "T"), ("BITPIX", "8"), ("NAXIS", "1"), ("NAXIS1", "99999")])) == .corrupt)
        #expect(code(picture(17, [2, 2], [])) == .corrupt)
        #expect(code(picture(16, [2, -2], [])) == .corrupt)
        #expect(code(picture(64, [1 << 62, 1 << 62], [])) == .limitExceeded)
        #expect(code(Array("SIMPLE  =".utf8)) == .corrupt)
        let endless = [("SIMPLE", "T"), ("BITPIX", "-64"), ("NAXIS", "3"), ("NAXIS1", "0"), ("NAXIS2", "\(Int.max)")]
        #expect(code(part(endless + [("NAXIS3", "\(Int.max)"), ("PCOUNT", "\(Int.max)")])) == .corrupt)
        // Headers of more than 4 MiB, in whole blocks of 36 lines with the first of them, whatever stands behind.
        let remark = Array("COMMENT".padded(80).utf8)
        let image = picture(8, [2, 1], [[7], [8]])
        for (remarks, wanted) in [(1007, nil), (60_011, PluginError.Code.corrupt)] {
            #expect(code([UInt8](image.prefix(80)) + repeatElement(remark, count: remarks).joined() + image) == wanted)
        }
    }
}

extension String {
    fileprivate func padded(_ length: Int) -> String { self + String(repeating: " ", count: max(0, length - count)) }
}

import Testing
import VitrineKit

import enum RendererFixtures.Fixtures

@testable import OfficeRenderer

// Pictures that LibreOffice puts onto a page. In a box of 256 pixels all but sheets are larger: the worker scales them.
extension OfficeRendererTests {
    /// With the margins that its header gives it.
    @Test(arguments: ["wmf", "pict"]) func drawsAllOfAPicture(suffix: String) throws {
        let drawn = try draw(suffix == "wmf" ? Pictures.metafile() : Pictures.quickDraw(), suffix)
        #expect(drawn.width == 896 && 441...455 ~= drawn.height, "\(drawn.height)")
        #expect(drawn.colors.contains(suffix == "wmf" ? 0xFF0000 : 0x000000) && drawn.colors.contains(0xFFFFFF))
    }

    @Test(arguments: ["vsdx", "wpd", "abw"]) func drawsDocumentsOfOtherPrograms(suffix: String) throws {
        let bytes = try Fixtures.bytes("office/vitrine.\(suffix)")
        let drawn = try draw(bytes, suffix)
        if suffix == "vsdx" {
            #expect(drawn.width == 896 && drawn.height == 672)
            for color: UInt32 in [0xD63031, 0x2EA44F, 0x2D5CCE, 0xF1CD37] {
                #expect(drawn.colors.contains(color), "\(color)")
            }
        } else {
            #expect(drawn.height == 896 && drawn.width < 896)
            #expect(drawn.colors.contains(0xFFFFFF) && drawn.colors.count > 4)
        }
        for count in [0, 3, 20, bytes.count / 2] {
            guard let code = code(Array(bytes.prefix(count)), suffix) else { continue }
            #expect([.empty, .corrupt, .unsupported].contains(code), "\(code) of \(count) bytes")
        }
    }

    /// Without a header that tells its size.
    @Test func cutsAPictureToWhatIsInIt() throws {
        let picture = try draw(Array(Pictures.metafile().dropFirst(22)), "wmf")
        #expect(abs(picture.width - picture.height) < 35, "\(picture.width) × \(picture.height)")
        let drawing = try draw(Pictures.exchange(), "dxf")
        #expect(drawing.width == 896 && 413...483 ~= drawing.height, "\(drawing.height)")
    }

    @Test func saysThatAPictureIsWhite() {
        #expect(code(Pictures.metafile(isWhite: true), "wmf") == .empty)
    }

    @Test func readsSizesOfPictures() throws {
        let emf =
            [UInt8](repeating: 0, count: 24) + [0xF6, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xE2, 0x09, 0, 0, 0xEC, 0x09, 0, 0]
        let metafile = Pictures.metafile()
        let sizes = [
            OwnFormat.wmf.statedSize(metafile), OwnFormat.pict.statedSize(Pictures.quickDraw()),
            OwnFormat.emf.statedSize(emf),
        ]
        #expect(sizes.map { $0?.width } == [2880, 144 * 1440, 1440])
        #expect(sizes.map { $0?.height } == [1440, 72 * 1440, 1440])
        let box: [UInt8] = [0, 0, 0, 0, 0, 72, 0, 144]
        let resolution: [UInt8] = [0, 72, 0, 0, 0, 36, 0, 0]
        let head: [UInt8] = [0, 0] + box + [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00, 0xFF, 0xFE, 0, 0] + resolution + box
        for start in [0, 512] {
            let size = OwnFormat.pict.statedSize([UInt8](repeating: 0, count: start) + head)
            #expect(size?.width == 2880 && size?.height == 2880)
        }
        for count in 0..<16 { #expect(OwnFormat.wmf.statedSize(Array(metafile.prefix(count))) == nil) }
        #expect(OwnFormat.wmf.statedSize(Pictures.metafile(inch: 0)) == nil)
        for format in OwnFormat.allCases { #expect(format.statedSize([UInt8](repeating: 0, count: 600)) == nil) }
        for format in OwnFormat.allCases { #expect(format.statedSize([]) == nil) }
    }
}

import PictureDecoding
import RendererFixtures
import Testing
import VitrineKit

@testable import ProgramRenderer

@Suite struct IconSearchTests {
    private let dot = "image/one-pixel.png", small = "image/rgb-8.png", large = "image/wide.png", text = ""

    /// What is found among fixtures, each of which is looked at unless the search is over. One without a name is a text.
    private func found(_ names: [String], box: Int) throws -> Result<DecodedPicture, PluginError>? {
        var search = IconSearch(box: box, PictureDecoder(maximumPixels: 1_000_000))
        for name in names where !search.isOver {
            let bytes = name == text ? Array("no picture".utf8) : try Fixtures.bytes(name)
            try search.look { bytes }
        }
        return search.found
    }

    @Test("The first picture that fills the box is taken, else the largest")
    func choice() throws {
        #expect(try found([dot, small, large], box: 128)?.get().side == 160)
        for names in [[small, large], [large, small], [text, small, large, dot]] {
            #expect(try found(names, box: 4000)?.get().side == 3000, "\(names)")
        }
    }

    @Test("Where none is an icon, what is wrong with the first is told")
    func failures() throws {
        func code(_ names: [String]) throws -> PluginError.Code? {
            guard case .failure(let error) = try found(names, box: 128) else { return nil }
            return error.code
        }
        #expect(try code([dot, text]) == .empty)
        #expect(try code([text, dot]) == .unsupported)
        #expect(try found([], box: 128).map { _ in true } == nil)
        var search = IconSearch(box: 128, PictureDecoder(maximumPixels: 1_000_000))
        try search.look { nil }
        #expect(search.found.map { _ in true } == nil && !search.isOver)
        #expect(throws: PluginError(.offline, "the server is gone")) {
            try search.look { () throws(PluginError) in throw PluginError(.offline, "the server is gone") }
        }
    }
}

extension PluginTemplate {
    /// A renderer for a small format of its own, complete enough to be changed into a real one.
    var renderer: String {
        """
        import VitrineKit

        /// Draws pictures in a format made up for this plugin: the text `\(id) WIDTH HEIGHT`, a line feed, then one byte
        /// of grey for each pixel, row by row from the top.
        public struct \(type): Renderer {
            private let maximumPixels: Int

            /// Warms up. What a library reads late (fonts, tables) is best read here: files are out of reach afterwards.
            public init(_ environment: RendererEnvironment) throws(PluginError) {
                maximumPixels = environment.maximumPixels
            }

            /// Draws the picture as it is; the worker scales it down.
            public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
                try input.checkNotEmpty("the file")
                try request.checkSinglePicture(in: "the picture")
                let header = try Header(try input.head(Header.maximumLength))
                // The sides are at most 32,767 each, so the product cannot overflow.
                guard header.width * header.height <= maximumPixels else {
                    throw PluginError(
                        .limitExceeded,
                        "the picture has \\(header.width) × \\(header.height) pixels; at most \\(maximumPixels) are drawn")
                }
                let pixels = try input.bytes(at: Int64(header.length), count: header.width * header.height)
                guard pixels.count == header.width * header.height else {
                    throw PluginError(
                        .corrupt, "the file ends after \\(pixels.count) of \\(header.width * header.height) pixels")
                }
                let bitmap = try Bitmap(width: header.width, height: header.height, format: .rgbx)
                bitmap.withUnsafeMutableBytes { rows in
                    for y in 0..<header.height {
                        for x in 0..<header.width {
                            let grey = pixels[y * header.width + x]
                            let pixel = y * bitmap.bytesPerRow + x * 4
                            for channel in 0..<3 { rows[pixel + channel] = grey }
                        }
                    }
                }
                return Rendering(bitmap, facts: Facts(size: PixelSize(width: header.width, height: header.height)))
            }

            /// The first line of a file.
            private struct Header {
                static let maximumLength = 64
                let width: Int
                let height: Int
                /// Bytes with the line feed: where the pixels begin.
                let length: Int

                init(_ head: [UInt8]) throws(PluginError) {
                    guard let end = head.firstIndex(of: UInt8(ascii: "\\n")) else {
                        throw PluginError(.corrupt, "the first line has no end")
                    }
                    let words = String(decoding: head[..<end], as: UTF8.self).split(separator: " ")
                    guard words.count == 3, words[0] == "\(id)", let width = Int(words[1]), let height = Int(words[2]),
                        1...Bitmap.maximumSide ~= width, 1...Bitmap.maximumSide ~= height
                    else { throw PluginError(.corrupt, "the first line is not '\(id) WIDTH HEIGHT'") }
                    self.width = width
                    self.height = height
                    length = end + 1
                }
            }
        }

        """
    }

    /// One call into the renderers' contract.
    var rendererTests: String {
        """
        import Testing
        import VitrineKit
        import VitrineTesting

        @testable import \(type)

        @Suite struct \(type)Tests {
            @Test func conforms() {
                let picture = Array("\(id) 40 30\\n".utf8) + (0..<1200).map { UInt8($0 % 256) }
                // The worker scales what is drawn here. Leave out 'scales: false' when the bitmap itself fits the box, and add
                // 'enlarges: true' when it is drawn at any size, as a page is.
                let suite = RendererConformance(
                    samples: [RendererSample("a picture", mimeType: "image/x-\(id)", bytes: picture)], scales: false
                ) { (environment) throws(PluginError) in try \(type)(environment) }
                #expect(suite.violations() == [])
            }
        }

        """
    }
}

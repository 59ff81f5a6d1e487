import Foundation
import TerminalPictures
import Testing

/// Pictures for terminals, read again by programs that others wrote: `pngtopnm` is asked for nothing, `sixel2png` and
/// Python's own zlib and base64 are.
@Suite("Pictures for terminals")
struct TerminalPictureTests {
    private let room = TerminalPicture.Room(columns: 10, rows: 4)

    /// A PNG of four quadrants, made by hand: no filter, stored without compression.
    static func quadrants(width: Int = 64, height: Int = 48) -> [UInt8] {
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            var count = UInt32(body.count).bigEndian
            // The reader does not look at checksums: terminals and sixel2png do not see them.
            return withUnsafeBytes(of: &count) { Array($0) } + Array(name.utf8) + body + [0, 0, 0, 0]
        }
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                switch (x < width / 2, y < height / 2) {
                case (true, true): rows += [255, 0, 0]
                case (false, true): rows += [0, 255, 0]
                case (true, false): rows += [0, 0, 255]
                case (false, false): rows += [255, 255, 0]
                }
            }
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in rows {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        var stream: [UInt8] = [0x78, 1]
        var rest = rows[...]
        while !rest.isEmpty {
            let part = rest.prefix(65_535)
            rest = rest.dropFirst(part.count)
            let count = UInt16(part.count)
            stream += [
                rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
            ]
            stream += part
        }
        stream += number(Int(high << 16 | low))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", stream)
            + chunk("IEND", [])
    }

    @Test("sixels show the picture, as another decoder reads them")
    func sixel() throws {
        let picture = try #require(TerminalPicture(png: Self.quadrants(), room: room, as: .sixel))
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appending(path: "a.six"), folder.appending(path: "a.png"))
        try Data(picture.text.utf8).write(to: input)
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/sixel2png")
        program.arguments = ["-i", input.path, "-o", output.path]
        try program.run()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        let pixels = try #require(PNGPixels(Array(try Data(contentsOf: output))))
        #expect(pixels.width == 64 && pixels.height == 48)
        func at(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels.rgb[((y * 64 + x) * 3)...].prefix(3)) }
        #expect(at(5, 5) == [255, 0, 0] && at(60, 5) == [0, 255, 0])
        #expect(at(5, 45) == [0, 0, 255] && at(60, 45) == [255, 255, 0])
    }

    @Test("kitty is given the file in pieces, with one side of the room", arguments: [(64, 48), (400, 20), (20, 400)])
    func kitty(width: Int, height: Int) throws {
        let png = Self.quadrants(width: width, height: height)
        let text = try #require(TerminalPicture(png: png, room: room, as: .kitty)).text
        let pieces = text.components(separatedBy: "\u{1B}_G").dropFirst()
        #expect(text.hasPrefix("\u{1B}_Ga=T,f=100,q=2,C=1,\(width > height * 10 / 8 ? "c=10" : "r=4"),m="))
        var data = Data()
        for (index, piece) in pieces.enumerated() {
            let parts = piece.dropLast(2).split(separator: ";", maxSplits: 1)
            #expect(piece.hasSuffix("\u{1B}\\") && parts[1].count <= 4096)
            #expect(parts[0].hasSuffix(index == pieces.count - 1 ? "m=0" : "m=1"))
            data += try #require(Data(base64Encoded: String(parts[1])))
        }
        #expect(Array(data) == png)
    }

    @Test("iTerm is given the file")
    func iterm() throws {
        let png = Self.quadrants()
        let text = try #require(TerminalPicture(png: png, room: room, as: .iterm)).text
        #expect(
            text.hasPrefix("\u{1B}]1337;File=inline=1;size=\(png.count);width=10;height=4;") && text.hasSuffix("\u{07}")
        )
        let body = text.dropLast().split(separator: ":", maxSplits: 1)[1]
        #expect(Data(base64Encoded: String(body)).map { Array($0) } == png)
    }

    @Test("a file that is cut or changed anywhere is refused or read, and never traps")
    func damaged() {
        let png = Self.quadrants()
        for count in stride(from: 0, to: png.count, by: 7) { _ = PNGPixels(Array(png.prefix(count))) }
        for index in 0..<60 {
            for value: UInt8 in [0, 1, 3, 4, 6, 127, 255] {
                var changed = png
                changed[index] = value
                for kind in TerminalProtocol.allCases { _ = TerminalPicture(png: changed, room: room, as: kind) }
            }
        }
        #expect(TerminalPicture(png: Array("GIF89a".utf8), room: room, as: .kitty) == nil)
        #expect(PNGPixels(Array(png.prefix(png.count / 2))) == nil)
    }

    @Test(
        "previews of Vitrine and of others can be read", arguments: ["/usr/share/pixmaps", "/usr/share/icons/hicolor"])
    func real(folder: String) throws {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for name in files.filter({ $0.hasSuffix(".png") }).prefix(20) {
            let png = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
            // Of another depth or interlaced: not read.
            guard png.count > 28, png[24] == 8, png[28] == 0 else { continue }
            let pixels = try #require(PNGPixels(png), "\(name)")
            #expect(pixels.rgb.count == pixels.width * pixels.height * 3)
        }
    }

    @Test("terminals are known by what they say")
    func detection() {
        #expect(TerminalProtocol(environment: ["TERM": "xterm-kitty"]) == .kitty)
        #expect(TerminalProtocol(environment: ["TERM_PROGRAM": "iTerm.app"]) == .iterm)
        #expect(TerminalProtocol(environment: ["TERM": "xterm-256color"]) == nil)
        #expect(TerminalProtocol(environment: ["TERM": "xterm-kitty", "TMUX": "/tmp/x"]) == nil)
        let answers: [(String, TerminalProtocol?)] = [
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", .kitty), ("\u{1B}[?62;4;22c", .sixel), ("\u{1B}[?62;14;22c", nil),
            ("\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?6c", nil), ("", nil),
        ]
        for (answer, kind) in answers { #expect(TerminalProtocol(answer: Array(answer.utf8)) == kind, "\(answer)") }
        #expect(!TerminalProtocol.isComplete(Array("\u{1B}[?62;4".utf8)))
        #expect(TerminalProtocol.isComplete(Array("\u{1B}[?62;4c".utf8)))
    }
}

import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ArchiveContainer

@Suite(.serialized) struct ArchiveContainerTests {
    /// Takes everything.
    private final class Output: MemberOutput, MemberWriter {
        var contents: [UInt64: [UInt8]] = [:]
        var failures: [UInt64: PluginError.Code] = [:]
        private var current: [UInt8] = []
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        func write(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
            guard current.count + bytes.count <= limit else { throw PluginError(.limitExceeded, "it is too large") }
            current += bytes
        }

        func take(
            _ place: UInt64, _ content: (any MemberWriter) throws(PluginError) -> Void
        ) throws(PluginError) -> Bool {
            current = []
            do throws(PluginError) {
                try content(self)
                contents[place] = current
            } catch { failures[place] = error.code }
            return true
        }
    }

    private static func list(
        _ input: any RandomAccessInput
    ) throws(PluginError) -> (members: [ContainerMember], outline: ContainerOutline) {
        var members: [ContainerMember] = []
        let outline = try ArchiveContainer(RendererEnvironment(pluginFolder: "/")).list(input) { members.append($0) }
        return (members, outline)
    }

    private static func unpack(
        _ places: [UInt64], of input: any RandomAccessInput, limit: Int = .max
    ) throws(PluginError) -> Output {
        let output = Output(limit: limit)
        try ArchiveContainer(RendererEnvironment(pluginFolder: "/")).unpack(places, of: input, into: output)
        return output
    }

    /// Bytes of each member, whatever their order and the way to say where they begin.
    private static func sizes(_ members: [ContainerMember]) -> [String: Int64?] {
        let sizes = members.map { (String(decoding: $0.path, as: UTF8.self), $0.size) }
        let plain = sizes.map { ($0.0.hasPrefix("./") ? String($0.0.dropFirst(2)) : $0.0, $0.1) }
        return Dictionary(plain) { one, _ in one }
    }

    @Test(arguments: [
        "project.zip", "project.tar", "project.tar.gz", "project.tar.zst", "project.tar.xz", "project.tar.bz2",
        "project.7z", "project.rar", "project.cpio",
    ])
    func `every kind of archive holds the same files, all or some of which are unpacked`(name: String) throws {
        let input = BytesInput(try Fixtures.bytes("archive/\(name)"))
        let (all, outline) = try Self.list(input)
        let members = all.filter { $0.kind == .file }
        #expect(all.allSatisfy { $0.kind == .file || $0.kind == .folder })
        let expected = try Self.list(BytesInput(try Fixtures.bytes("archive/project.zip"))).members
        #expect(outline.failure == nil)
        #expect(outline.isSequential == !["project.zip", "project.tar"].contains(name))
        #expect(Self.sizes(members) == Self.sizes(expected))
        #expect(members.count == expected.count && members.allSatisfy { !$0.isEncrypted })
        let whole = try Self.unpack(members.map(\.place), of: input)
        #expect(members.map { whole.contents[$0.place]?.count } == members.map { $0.size.map(Int.init) })
        #expect(whole.failures.isEmpty)
        for member in members {
            let alone = try Self.unpack([member.place], of: input)
            #expect(alone.contents == [member.place: whole.contents[member.place]])
        }
    }

    @Test func `a zip tells checksums and times, the same wherever it is read`() throws {
        let members = try Self.list(BytesInput(try Fixtures.bytes("archive/album.zip"))).members
        #expect(members.allSatisfy { $0.checksum != nil && $0.modified != nil && $0.extent != nil })
    }

    @Test func `of a large zip the list and one member cost few bytes`() throws {
        let files = (0..<300).map { (name: "\($0).bin", bytes: [UInt8](repeating: 7, count: 100_000)) }
        let input = CountingInput(zipFile(files, checksum: 0x3B71_DF88))
        let members = try Self.list(input).members
        #expect(members.count == 300 && input.bytesRead < 100_000 && input.reads < 6)
        let before = input.bytesRead
        let output = try Self.unpack([members[150].place], of: input)
        #expect(output.contents[members[150].place] == files[150].bytes)
        #expect(input.bytesRead - before < 400_000)
    }

    @Test func `what needs a password is told, and not unpacked`() throws {
        let input = BytesInput(try Fixtures.bytes("comic/locked.cbz"))
        let members = try Self.list(input).members
        let locked = members.filter(\.isEncrypted)
        #expect(!locked.isEmpty)
        let output = try Self.unpack(locked.map(\.place), of: input)
        #expect(output.contents.isEmpty && output.failures.values.allSatisfy { $0 == .locked })
        #expect(throws: PluginError.self) { try Self.list(BytesInput(try Fixtures.bytes("archive/hidden.7z"))) }
    }

    @Test func `an archive that is cut off has the members before the cut, and says so`() throws {
        let bytes = try Fixtures.bytes("archive/project.tar")
        let (members, outline) = try Self.list(BytesInput(Array(bytes.prefix(bytes.count / 2))))
        #expect(!members.isEmpty && members.count < 6 && outline.failure?.code == .corrupt)
    }

    @Test func `what is no archive is refused`() {
        var random = SeededNumbers(seed: 9)
        for bytes in [[], Array("just text".utf8), random.bytes(5000), [0x50, 0x4B, 3, 4] + random.bytes(500)] {
            #expect(throws: PluginError.self) { try Self.list(BytesInput(bytes)) }
        }
    }

    @Test(arguments: ["project.zip", "project.tar", "project.7z", "project.rar", "project.tar.xz"])
    func `damage anywhere ends in a sentence or in fewer members, and never in a trap`(name: String) throws {
        let bytes = try Fixtures.bytes("archive/\(name)")
        var random = SeededNumbers(seed: 5)
        for _ in 0..<60 {
            var damaged = bytes
            for _ in 0..<4 {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let members = try? Self.list(BytesInput(damaged)).members else { continue }
            _ = try? Self.unpack(members.map(\.place), of: BytesInput(damaged), limit: 1 << 20)
        }
    }

    @Test func `a file whose checksum is wrong is refused, and those around it are not`() throws {
        let files = [(name: "a", bytes: [UInt8](repeating: 7, count: 100_000)), (name: "b", bytes: [1, 2, 3])]
        let input = BytesInput(zipFile(files, checksum: 0x3B71_DF88))
        let places = try Self.list(input).members.map(\.place)
        let output = try Self.unpack(places, of: input)
        #expect(output.contents[places[0]] == files[0].bytes && output.failures == [places[1]: .corrupt])
    }

    @Test func `a list that is said to lie as far away as numbers go is none`() throws {
        let head = little(0x0403_4B50, 4) + little(0, 26)
        let record = little(0x0606_4B50, 4) + little(0, 28) + little(1, 8) + little(100, 8) + little(.max, 8)
        let locator = little(0x0706_4B50, 4) + little(0, 4) + little(head.count, 8) + little(1, 4)
        let end = little(0x0605_4B50, 4) + little(0, 4) + little(0xFFFF_FFFF_FFFF, 6) + little(-1, 6) + little(0, 2)
        // The one member is found by walking.
        #expect(try Self.list(BytesInput(head + record + locator + end)).members.map(\.size) == [0])
    }

    @Test func `an archive that was packed once more is one file, unless it is a tape`() throws {
        for (name, count) in [("project.zip", 1), ("project.7z", 1), ("project.tar", 6)] {
            let plain = try Fixtures.bytes("archive/\(name)")
            let input = BytesInput(stored(plain))
            let members = try Self.list(input).members
            #expect(members.count >= count && (count > 1 || members.count == 1), "\(name)")
            guard count == 1, let place = members.first?.place else { continue }
            #expect(try Self.unpack([place], of: input).contents[place] == plain)
        }
    }

    @Test func `places that nobody told are left out or fail`() throws {
        let input = BytesInput(try Fixtures.bytes("archive/project.zip"))
        for place: UInt64 in [.max, 1 << 62, 1 << 62 | 7, 2 << 62 | 9, 3 << 62, 1 << 61, 1 << 62 | 1 << 61] {
            let output = try? Self.unpack([place], of: input)
            #expect(output?.contents.filter { $0.key != 1 << 62 }.isEmpty ?? true, "\(place)")
        }
    }

    @Test func `a member that unpacks to more than is taken of it is refused, and so is a bomb`() throws {
        let input = BytesInput(try Fixtures.bytes("archive/project.tar.gz"))
        let members = try Self.list(input).members
        let output = try Self.unpack(members.map(\.place), of: input, limit: 100)
        #expect(output.failures.values.contains(.limitExceeded))
        // As long as it is small it may be packed as well as it likes.
        let small = try Self.unpack([0], of: BytesInput(gzipOfLetters(mebibytes: 1)))
        #expect(small.contents[0]?.count == 1 << 20)
        let bomb = try Self.unpack([0], of: BytesInput(gzipOfLetters(mebibytes: 100)))
        #expect(bomb.failures == [0: .limitExceeded] && bomb.contents.isEmpty)
    }
}

/// A gzip (RFC 1952) of blocks that are not packed (RFC 1951, 3.2.4), with a wrong sum at its end, which nothing here looks at.
private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
        let block = bytes[start..<min(bytes.count, start + 0xFFFF)]
        let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
        file += [start + block.count == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
    }
    return file + [UInt8](repeating: 0, count: 8)
}

/// A gzip (RFC 1952) of one letter again and again, as small as can be: one block with codes of its own (RFC 1951, 3.2.7), by which two bits
/// repeat it 258 times.
private func gzipOfLetters(mebibytes: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var (bits, count) = (0, 0)
    /// Writes a number, its lowest bit first.
    func put(_ value: Int, _ length: Int) {
        for index in 0..<length {
            bits |= (value >> index & 1) << count
            count += 1
            if count == 8 {
                bytes.append(UInt8(bits))
                (bits, count) = (0, 0)
            }
        }
    }
    put(0b101, 3)
    // 286 codes of letters and lengths, one of distances, 18 lengths of codes.
    put(29, 5)
    put(0, 5)
    put(14, 4)
    // In the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: 18 and 0 … have one or two bits.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { put(length, 3) }
    // By these, 18 is the code 0, 1 is 10 and 2 is 11, the first bit first.
    func zeros(_ number: Int) {
        put(0, 1)
        put(number - 11, 7)
    }
    // The letter 65 has two bits, the end 256 has two, the length 258 (code 285) has one; the distance 1 has one.
    zeros(65)
    put(0b11, 2)
    zeros(138)
    zeros(52)
    put(0b11, 2)
    zeros(28)
    put(0b01, 2)
    put(0b01, 2)
    // The first letter is 10; then each length is 0 and each distance 0; the end is 11.
    put(0b01, 2)
    let repeats = ((mebibytes << 20) - 1) / 258
    for _ in 0..<repeats { put(0, 2) }
    for _ in 0..<(mebibytes << 20) - 1 - repeats * 258 { put(0b01, 2) }
    put(0b11, 2)
    if count > 0 { bytes.append(UInt8(bits)) }
    // Checksum and length are looked at last, if ever.
    return bytes + [UInt8](repeating: 0, count: 8)
}

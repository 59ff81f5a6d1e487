extension PluginTemplate {
    /// A reader of a small container of its own, complete enough to be changed into a real one.
    var container: String {
        """
        import VitrineKit

        /// Lists and unpacks files in a format made up for this plugin: the line `\(id)`, then for each member a line
        /// `NAME SIZE` and its bytes.
        public struct \(type): ContainerReader {
            private static let start = Array("\(id)\\n".utf8)

            /// Warms up. What a library reads late is best read here: files are out of reach afterwards.
            public init(_ environment: RendererEnvironment) throws(PluginError) {}

            /// Lists all members. The place of each is the offset of its line, by which another call finds it again.
            public func list(
                _ input: any RandomAccessInput, _ take: (ContainerMember) throws(PluginError) -> Void
            ) throws(PluginError) -> ContainerOutline {
                guard try input.head(Self.start.count) == Self.start else {
                    throw PluginError(.corrupt, "the first line is not '\(id)'")
                }
                var offset = Int64(Self.start.count)
                while offset < input.size {
                    let member: Member
                    do throws(PluginError) { member = try Member(at: offset, of: input) } catch {
                        guard error.code == .corrupt else { throw error }
                        // The members before are good.
                        return ContainerOutline(isSequential: false, failure: error)
                    }
                    let size = member.content.upperBound - member.content.lowerBound
                    var told = ContainerMember(path: member.name, kind: .file, size: size, place: UInt64(offset))
                    told.extent = member.content
                    try take(told)
                    offset = member.content.upperBound
                }
                return ContainerOutline(isSequential: false)
            }

            /// Unpacks some members, in blocks.
            public func unpack(
                _ places: [UInt64], of input: any RandomAccessInput, into output: any MemberOutput
            ) throws(PluginError) {
                let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
                defer { block.deallocate() }
                for place in places {
                    let goesOn = try output.take(place) { (writer) throws(PluginError) in
                        // Anything may stand there: it comes from another call.
                        let member = try Member(at: Int64(clamping: place), of: input)
                        var offset = member.content.lowerBound
                        while offset < member.content.upperBound {
                            let wanted = Int(min(Int64(block.count), member.content.upperBound - offset))
                            let count = try input.read(
                                at: offset, into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]))
                            guard count > 0 else { throw PluginError(.corrupt, "the file ends in a member") }
                            try writer.write(UnsafeRawBufferPointer(rebasing: block[..<count]))
                            offset += Int64(count)
                        }
                    }
                    guard goesOn else { return }
                }
            }

            /// A line, and where the bytes are that follow it.
            private struct Member {
                let name: [UInt8]
                let content: Range<Int64>

                init(at offset: Int64, of input: any RandomAccessInput) throws(PluginError) {
                    let line = offset < input.size ? try input.bytes(at: offset, count: 300) : []
                    guard let end = line.firstIndex(of: UInt8(ascii: "\\n")),
                        let space = line[..<end].lastIndex(of: UInt8(ascii: " ")), space > 0,
                        let size = Int64(String(decoding: line[(space + 1)..<end], as: UTF8.self)), size >= 0
                    else { throw PluginError(.corrupt, "at \\(offset) there is no line 'NAME SIZE'") }
                    let begin = offset + Int64(end) + 1
                    guard size <= input.size - begin else {
                        throw PluginError(.corrupt, "the file ends before the \\(size) bytes of a member")
                    }
                    name = Array(line[..<space])
                    content = begin..<begin + size
                }
            }
        }

        """
    }

    /// Sound and damaged files; there is no suite for containers.
    var containerTests: String {
        """
        import Testing
        import VitrineKit
        import VitrineTesting

        @testable import \(type)

        @Suite struct \(type)Tests {
            @Test func listsAndUnpacks() throws {
                let file = BytesInput(Array("\(id)\\na.txt 5\\nhellob/c 0\\n".utf8))
                let reader = try \(type)(RendererEnvironment(pluginFolder: "/"))
                var members: [ContainerMember] = []
                let outline = try reader.list(file) { members.append($0) }
                #expect(outline.failure == nil)
                #expect(members.map { String(decoding: $0.path, as: UTF8.self) } == ["a.txt", "b/c"])
                #expect(members.map(\\.size) == [5, 0])
                let output = Output()
                try reader.unpack(members.map(\\.place), of: file, into: output)
                #expect(members.map { output.contents[$0.place] } == [Array("hello".utf8), []])
            }

            @Test(arguments: ["a.txt 6\\nhello", "a.txt -1\\n", "a.txt 99999999999999999999\\n", "a.txt", " 1\\nx"])
            func refuses(damaged: String) throws {
                let reader = try \(type)(RendererEnvironment(pluginFolder: "/"))
                var members = 0
                let outline = try reader.list(BytesInput(Array("\(id)\\ngood 1\\nx\\(damaged)".utf8))) { _ in
                    members += 1
                }
                #expect(outline.failure?.code == .corrupt && members == 1)
                let output = Output()
                try reader.unpack([0, 17, .max], of: BytesInput(Array("\(id)\\n\\(damaged)".utf8)), into: output)
                #expect(output.contents.isEmpty && output.failures.values.allSatisfy { $0 == .corrupt })
                #expect(throws: PluginError.self) { _ = try reader.list(BytesInput(Array(damaged.utf8))) { _ in } }
            }
        }

        /// Takes everything.
        private final class Output: MemberOutput, MemberWriter {
            var contents: [UInt64: [UInt8]] = [:]
            var failures: [UInt64: PluginError.Code] = [:]
            private var current: [UInt8] = []

            func write(_ bytes: UnsafeRawBufferPointer) throws(PluginError) { current += bytes }

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

        """
    }
}

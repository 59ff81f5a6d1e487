import Foundation
import PluginHost
import PluginLoader
import Testing
import VitrineKit

@Suite("A new plugin builds against an installed SDK, passes its suite and can be loaded")
struct PluginTemplateTests {
    /// Installs the SDK of this build, writes a plugin, builds and tests it, and finds it.
    private func make(_ kind: PluginTemplate.Kind, in folder: TemporaryFolder) throws -> InstalledPlugin {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let build = try #require(PluginSearchPath.executableFolder)
        let sdk = folder.path + "/prefix with spaces"
        let installed = try run(root + "/scripts/install-sdk.sh", [build, sdk])
        try #require(installed.status == 0, "\(installed.output)")

        let path = try PluginTemplate(kind: kind, name: "Sketch", sdk: sdk).write(into: folder.path)
        #expect(path == folder.path + "/Sketch")
        let built = try run("swift", ["build"], in: path)
        try #require(built.status == 0, "\(built.output)")
        #expect(!built.output.contains("warning:"), "\(built.output)")
        let tested = try run("swift", ["test"], in: path)
        try #require(tested.status == 0, "\(tested.output)")
        let test = kind == .container ? "listsAndUnpacks()" : "conforms()"
        #expect(tested.output.contains("\(test) passed"), "\(tested.output)")

        let directory = PluginDirectory(scanning: PluginSearchPath(folders: [path]))
        try #require(directory.listings.map(\.state) == [.ready], "\(directory.listings)")
        #expect(directory.listings.map(\.libraryPath) == ["\(path)/.build/debug/libSketch\(kind.suffix).so"])
        return try #require((directory.renderers + directory.backends + directory.containers).first)
    }

    @Test func rendererDraws() throws {
        let folder = try TemporaryFolder()
        let plugin = try make(.renderer, in: folder)
        let directory = PluginDirectory(scanning: PluginSearchPath(folders: [plugin.folder]))
        let registry = RendererRegistry(directory)
        let picture = Array("sketch 3 1\n".utf8) + [0, 128, 255]
        let type = TypeSniffer(magic: registry.magic).type(head: picture, name: [], size: Int64(picture.count))
        #expect(type == SniffedType(mimeType: "image/x-sketch", found: .magic))
        #expect(registry.renderers(for: type.mimeType) == [plugin])

        let entry = try PluginLibrary.open(plugin.libraryPath)
        #expect(try PluginLibrary.open(plugin.folder + "/../Sketch/.build/debug/libSketchRenderer.so") === entry)
        let make = try #require(entry.makeRenderer)
        #expect(entry.makeBackend == nil)
        let renderer = try make(RendererEnvironment(pluginFolder: plugin.folder))
        let rendering = try renderer.render(
            MemoryInput(picture), RenderRequest(box: 128, mimeType: type.mimeType))
        #expect(rendering.facts.size == PixelSize(width: 3, height: 1))
        let pixels = rendering.bitmap.withUnsafeMutableBytes { rows in [0, 4, 8].map { rows[$0] } }
        #expect(pixels == [0, 128, 255])
        // A typed error of this process's own kind comes across the library's border.
        #expect(throws: PluginError(.empty, "the file is empty: it has no bytes")) {
            try renderer.render(MemoryInput([]), RenderRequest(box: 128, mimeType: type.mimeType))
        }
    }

    @Test func backendLists() async throws {
        let folder = try TemporaryFolder()
        let plugin = try make(.backend, in: folder)
        let factory = BackendFactory(PluginDirectory(scanning: PluginSearchPath(folders: [plugin.folder])))
        #expect(factory.schemes == ["sketch"])
        let backend = try await factory.backend(for: try SourceURI("sketch:///"))
        var names: [String] = []
        for try await page in backend.list(try ItemPath("pictures")) {
            names += page.map { String(decoding: $0.name, as: UTF8.self) }
        }
        #expect(names == ["first.ppm"])
        let part = try await factory.backend(for: try SourceURI("sketch:///pictures"))
        #expect(try await part.stat(try ItemPath("first.ppm")).size == 27)
        let file = try await backend.open(try ItemPath("pictures/first.ppm"))
        #expect(try await file.read(at: 0, count: 2) == Array("P3".utf8))
    }

    @Test func containerIsListedAndUnpacked() throws {
        let folder = try TemporaryFolder()
        let plugin = try make(.container, in: folder)
        #expect(plugin.manifest.types == ["application/x-sketch"])
        #expect(plugin.manifest.magic.map(\.type) == plugin.manifest.types)
        let makeReader = try #require(try PluginLibrary.open(plugin.libraryPath).makeContainerReader)
        let reader = try makeReader(RendererEnvironment(pluginFolder: plugin.folder))
        var members: [ContainerMember] = []
        let file = Array("sketch\nfirst.txt 6\nhello\n".utf8)
        let outline = try reader.list(MemoryInput(file)) { members.append($0) }
        #expect(outline == ContainerOutline(isSequential: false))
        #expect(members.map(\.path) == [Array("first.txt".utf8)] && members.map(\.size) == [6])
        #expect(members.map(\.extent) == [19..<25])
    }

    @Test(arguments: ["", "a", "1a", "a b", "../x", "naïve", "-x", "a/b", String(repeating: "a", count: 33), "a\u{0}"])
    func refusesNames(name: String) throws {
        let error = try #require(throws: PluginError.self) {
            try PluginTemplate(kind: .renderer, name: name, sdk: "/usr")
        }
        #expect(error.code == .invalidArgument && error.message.contains("cannot be the name of a plugin"))
    }

    @Test func refusesWhatExists() throws {
        let folder = try TemporaryFolder()
        try folder.write("Sketch", "something")
        let template = try PluginTemplate(kind: .backend, name: "Sketch", sdk: "/usr")
        let error = try #require(throws: PluginError.self) { try template.write(into: folder.path) }
        #expect(error.code == .invalidArgument && error.message.contains("'\(folder.path)/Sketch' exists"))
        let nowhere = try #require(throws: PluginError.self) { try template.write(into: folder.path + "/no") }
        #expect(nowhere.code == .notFound)
    }

    @Test func knowsWhereItsSDKIs() throws {
        let folder = try TemporaryFolder()
        #expect(PluginTemplate.installedSDK(executableFolder: folder.path + "/bin") == "/usr/local")
        try folder.write("include/vitrine/CVitrineABI/vitrine_plugin.h", "")
        #expect(PluginTemplate.installedSDK(executableFolder: folder.path + "/bin") == folder.path)
    }
}

extension PluginTemplate.Kind {
    /// How the names of types end.
    fileprivate var suffix: String { rawValue.capitalized }
}

/// Bytes in memory as a renderer reads them.
private final class MemoryInput: RandomAccessInput {
    private let content: [UInt8]

    init(_ content: [UInt8]) { self.content = content }

    var size: Int64 { Int64(content.count) }
    var fileDescriptor: CInt? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        let part = content.dropFirst(Int(clamping: offset)).prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}

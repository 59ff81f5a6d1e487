import Foundation
import PluginHost
import Testing
import VitrineKit

@Suite("The factory chooses a backend by scheme and loads it when it is needed")
struct BackendFactoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func backend(_ id: String, schemes: String, library: String, priority: Int = 100) throws {
        try folder.write(
            "\(id)/plugin.json",
            """
            { "id": "\(id)", "version": "1", "abi": \(VITRINE_PLUGIN_ABI), "kind": "backend", "schemes": [\(schemes)],
              "library": "\(library)", "priority": \(priority) }
            """)
    }

    /// A factory that also finds the libraries of this build.
    private func factory() throws -> BackendFactory {
        let build = try #require(PluginSearchPath.executableFolder)
        return BackendFactory(
            PluginDirectory(scanning: PluginSearchPath(folders: [folder.path], libraryFolders: [build])))
    }

    private func refusal(_ factory: BackendFactory, _ uri: String) async throws -> PluginError {
        let source = try SourceURI(uri)
        return try await #require(throws: PluginError.self) { _ = try await factory.backend(for: source) }
    }

    @Test func makesTheLocalBackend() async throws {
        try backend("local", schemes: "\"file\"", library: "libLocalBackend.so")
        let factory = try factory()
        #expect(factory.plugin(for: "file")?.manifest.id == "local")
        let backend = try await factory.backend(for: SourceURI(file: folder.path.utf8))
        var names: [String] = []
        for try await page in backend.list(.root) { names += page.map { String(decoding: $0.name, as: UTF8.self) } }
        #expect(names == ["local"])
        let nowhere = SourceURI(file: (folder.path + "/nowhere").utf8)
        let error = try await #require(throws: PluginError.self) { _ = try await factory.backend(for: nowhere) }
        #expect(error.code == .notFound)
    }

    @Test func namesTheSchemesThatExist() async throws {
        try backend("b", schemes: "\"s3\", \"gs\"", library: "libLocalBackend.so")
        try backend("a", schemes: "\"file\"", library: "libLocalBackend.so")
        let error = try await refusal(factory(), "ftp://host/x")
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("'ftp'") && error.message.contains("file, gs, s3"), "\(error.message)")
        let none = try await refusal(
            BackendFactory(PluginDirectory(scanning: PluginSearchPath(folders: []))), "file:///")
        #expect(none.message.contains("no backend is installed"), "\(none.message)")
    }

    @Test func aSchemeWhosePluginIsSwitchedOffIsKnown() async throws {
        try backend("local", schemes: "\"file\"", library: "libLocalBackend.so")
        let factory = BackendFactory(
            PluginDirectory(scanning: PluginSearchPath(folders: [folder.path]), disabled: ["local"]))
        let error = try await refusal(factory, "file:///")
        #expect(error.code == .invalidArgument)
        #expect(
            error.message == "plugin 'local' serves the scheme 'file' of 'file:///', but is switched off by "
                + "'enabled' in [plugin local] of the settings", "\(error.message)")
    }

    @Test func theHigherPriorityServesAScheme() throws {
        try backend("a", schemes: "\"file\"", library: "libLocalBackend.so")
        try backend("b", schemes: "\"file\", \"other\"", library: "libLocalBackend.so", priority: 101)
        let factory = try factory()
        #expect(factory.plugin(for: "file")?.manifest.id == "b")
        #expect(factory.schemes == ["file", "other"])
    }

    @Test func libraryIsLoadedAtFirstUse() async throws {
        try backend("text", schemes: "\"text\"", library: "libText.so")
        try folder.write("text/libText.so", "this is no library")
        let factory = try factory()
        #expect(factory.schemes == ["text"])
        let error = try await refusal(factory, "text:x")
        #expect(error.code == .pluginUnavailable && error.message.contains("libText.so"), "\(error.message)")
    }

    @Test func refusesARendererThatCallsItselfABackend() async throws {
        try backend("odd", schemes: "\"odd\"", library: "libHostileRenderer.so")
        let error = try await refusal(factory(), "odd:x")
        #expect(error.code == .pluginUnavailable)
        #expect(error.message.contains("'odd' calls itself a backend"), "\(error.message)")
    }
}

import Foundation
import PluginLoader
import Testing
import VitrineKit

@Suite("A plugin's library is mapped only after it has shown that it fits")
struct PluginLibraryTests {
    /// Compiles a library in C. Its answers are the arguments.
    private func library(_ folder: TemporaryFolder, _ name: String, _ source: String) throws -> String {
        let headers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/VitrineKit/Sources/CVitrineABI/include").path
        let file = try folder.write(name + ".c", "#include <vitrine_plugin.h>\n#include <stddef.h>\n" + source)
        let path = "\(folder.path)/\(name).so"
        let made = try run("cc", ["-shared", "-fPIC", "-I", headers, "-o", path, file])
        try #require(made.status == 0, "\(made.output)")
        return path
    }

    private static let info = """
        static const vitrine_plugin_info info = { MAGIC, ABI, SIZE, 0, "test" };
        const vitrine_plugin_info *vitrine_plugin_info_v1(void) { return &info; }

        """

    private func refusal(_ path: String) -> PluginError? {
        do throws(PluginError) {
            _ = try PluginLibrary.open(path)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            (
                "another ABI", "VITRINE_PLUGIN_MAGIC", "VITRINE_PLUGIN_ABI + 1", "sizeof info",
                "was built for plugin ABI 2"
            ),
            ("an older ABI", "VITRINE_PLUGIN_MAGIC", "0", "sizeof info", "build the plugin again"),
            ("no magic", "7", "VITRINE_PLUGIN_ABI", "sizeof info", "magic number"),
            ("a shorter answer", "VITRINE_PLUGIN_MAGIC", "VITRINE_PLUGIN_ABI", "16", "answered 16 bytes about itself"),
        ])
    func refusesHandshake(name: String, magic: String, abi: String, size: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let path = try library(
            folder, "libWrong",
            """
            #define MAGIC \(magic)
            #define ABI \(abi)
            #define SIZE \(size)
            \(Self.info)
            void *vitrine_plugin_entry_v1(void) { __builtin_trap(); }
            """)
        let error = try #require(refusal(path), "\(name)")
        #expect(error.code == .pluginUnavailable)
        #expect(error.message.contains(path) && error.message.contains(expected), "\(error.message)")
    }

    @Test func refusesMissingFunctions() throws {
        let folder = try TemporaryFolder()
        let good = "#define MAGIC VITRINE_PLUGIN_MAGIC\n#define ABI VITRINE_PLUGIN_ABI\n#define SIZE sizeof info\n"
        let cases = [
            ("libNothing", "int unrelated;", "does not export vitrine_plugin_info_v1"),
            ("libNoEntry", good + Self.info, "does not export vitrine_plugin_entry_v1"),
            (
                "libNull", "const vitrine_plugin_info *vitrine_plugin_info_v1(void) { return NULL; }",
                "answered nothing to vitrine_plugin_info_v1"
            ),
            (
                "libNullEntry", good + Self.info + "void *vitrine_plugin_entry_v1(void) { return NULL; }",
                "answered nothing when asked for its entry"
            ),
        ]
        for (name, source, expected) in cases {
            let error = try #require(refusal(try library(folder, name, source)), "\(name)")
            #expect(error.code == .pluginUnavailable)
            #expect(error.message.contains(name) && error.message.contains(expected), "\(error.message)")
        }
    }

    @Test func refusesWhatIsNoLibrary() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write("libText.so", "this is no library")
        let cases = [
            ("libRelative.so", "its path is not absolute"), (folder.path + "/libGone.so", "No such file"),
            (text, "cannot be loaded"), (folder.path, "cannot be loaded"),
        ]
        for (path, expected) in cases {
            let error = try #require(refusal(path))
            #expect(error.code == .pluginUnavailable)
            #expect(error.message.contains(path) && error.message.contains(expected), "\(error.message)")
        }
    }

    @Test func refusesLibraryWithMissingSymbol() throws {
        let folder = try TemporaryFolder()
        let path = try library(
            folder, "libUnresolved", "int nowhere_to_be_found(void);\nint ask(void) { return nowhere_to_be_found(); }")
        let error = try #require(refusal(path))
        #expect(error.message.contains("nowhere_to_be_found"), "\(error.message)")
    }
}

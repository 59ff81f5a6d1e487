import VitrineKit

extension PluginTemplate {
    /// One file of the new folder.
    struct File {
        var path: String
        var text: String
    }

    /// Every file, in the order in which to read them.
    var files: [File] {
        [
            File(path: "README.md", text: readme), File(path: "plugin.json", text: manifest),
            File(path: "Package.swift", text: package),
            File(path: "Sources/\(type).swift", text: source),
            File(path: "Sources/PluginEntry.swift", text: entry),
            File(path: "Tests/\(type)Tests.swift", text: tests),
            File(path: ".gitignore", text: ".build/\n"),
        ]
    }

    /// The main type and the module: `SketchRenderer`.
    var type: String { capitalized(name) + capitalized(kind.rawValue) }

    private func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private var source: String {
        switch kind {
        case .renderer: renderer
        case .backend: backend
        case .container: container
        }
    }

    private var tests: String {
        switch kind {
        case .renderer: rendererTests
        case .backend: backendTests
        case .container: containerTests
        }
    }

    /// The type of the files that it draws or reads.
    var mimeType: String { kind == .renderer ? "image/x-\(id)" : "application/x-\(id)" }

    /// The id, and what formats and schemes are called: `sketch`.
    var id: String { name.lowercased() }

    /// The library's file.
    private var library: String { "lib\(type).so" }

    private var manifest: String {
        let mark = id + (kind == .renderer ? " " : "\n")
        let start = mark.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let serves =
            switch kind {
            case .renderer, .container:
                """
                "types": ["\(mimeType)"],
                  "magic": [{ "type": "\(mimeType)", "offset": 0, "bytes": "\(start)" }]
                """
            case .backend: "\"schemes\": [\"\(id)\"]"
            }
        return """
            {
              "id": "\(id)",
              "name": "\(name)",
              "version": "1.0.0",
              "abi": \(VITRINE_PLUGIN_ABI),
              "kind": "\(kind.rawValue)",
              "library": "\(library)",
              \(serves)
            }

            """
    }

    private var package: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        // Where Vitrine's SDK is installed: the prefix that was given to 'make install'.
        let sdk = Context.environment["VITRINE_SDK"] ?? \(String(reflecting: sdk))

        let modules: [SwiftSetting] = [.unsafeFlags(["-I", sdk + "/include/vitrine"])]
        let libraries: [LinkerSetting] = [
            .unsafeFlags(["-L", sdk + "/lib/vitrine", "-Xlinker", "-rpath", "-Xlinker", sdk + "/lib/vitrine"]),
            .linkedLibrary("VitrineKit"),
        ]

        let package = Package(
            name: "\(type)",
            products: [.library(name: "\(type)", type: .dynamic, targets: ["\(type)"])],
            targets: [
                .target(name: "\(type)", path: "Sources", swiftSettings: modules, linkerSettings: libraries),
                .testTarget(
                    name: "\(type)Tests", dependencies: ["\(type)"], path: "Tests", swiftSettings: modules,
                    linkerSettings: libraries + [.linkedLibrary("VitrineTesting")]),
            ],
            swiftLanguageModes: [.v6]
        )

        """
    }

    private var entry: String {
        """
        import VitrineKit

        /// Read before anything else of this library: what it was built against.
        @c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
            vitrine_plugin_info_here()
        }

        /// Hands the \(kind.rawValue) to Vitrine.
        @c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
            PluginEntry.\(kind.rawValue)(\(type).self)
        }

        """
    }

    private var readme: String {
        let what =
            switch kind {
            case .renderer: "Draws files of the type `image/x-\(id)` for Vitrine."
            case .backend: "Serves sources of the scheme `\(id)` to Vitrine."
            case .container: "Lists and unpacks files of the type `\(mimeType)` for Vitrine."
            }
        let example =
            switch kind {
            case .renderer:
                """
                printf '\(id) 2 2\\n\\000\\377\\377\\000' > first.\(id)
                    VITRINE_PLUGIN_PATH=$PWD vitrine get first.\(id) --size 128 -o first.png
                """
            case .backend: "VITRINE_PLUGIN_PATH=$PWD vitrine prebuild \(id):///"
            case .container:
                """
                printf '\(id)\\nfirst.txt 6\\nhello\\n' > first.\(id)
                    VITRINE_PLUGIN_PATH=$PWD vitrine get 'archive:first.\(id)!/first.txt' --size 128 -o first.png
                """
            }
        let tested =
            kind == .container
            ? "sound and damaged files" : "one call into the conformance suite, which is the contract in code"
        return """
            # \(name)

            \(what)

                swift build
                swift test
                vitrine plugins check
                \(example)

            | file | what is in it |
            |---|---|
            | `plugin.json` | what Vitrine reads to find the plugin; the library is mapped only when it is needed |
            | `Sources/\(type).swift` | the \(kind.rawValue) |
            | `Sources/PluginEntry.swift` | the two functions that the library exports |
            | `Tests/` | \(tested) |

            The SDK is looked for in `$VITRINE_SDK`, else in `\(sdk)`. To install the plugin for yourself, build it with
            `swift build -c release` and put `plugin.json` and `.build/release/\(library)` into
            `~/.local/share/vitrine/plugins-\(VITRINE_PLUGIN_ABI)/\(id)/`.

            """
    }
}

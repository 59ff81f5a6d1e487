// swift-tools-version: 6.2
import PackageDescription

// Every plugin of the tree is one row of this table; the loop below makes its targets.
// A row costs nothing else: the folder holds plugin.json, Entry/, Sources/, Tests/ and its C modules.
struct Plugin {
    /// Name of the module and of the library: `PDFRenderer` is built as `libPDFRenderer.so`.
    var name: String
    /// Folder below `Plugins/`.
    var folder: String
    /// System libraries that only this plugin may see, each a folder with a module map and a shim.
    var libraries: [SystemLibrary] = []
    /// Shims around libraries whose interface Swift cannot use: each a folder of C or C++ beside its sources.
    var shims: [Shim] = []
    /// Modules below `Plugins/Shared` that it has in common with others, each with a copy of its own. What these need comes
    /// with them.
    var shared: [String] = []
    /// Modules below `Tests` that its tests have in common with those of others.
    var samples: [String] = []
    var tests = true
    /// Its tests start real servers.
    var servers = false
    /// It computes each pixel itself: optimized in debug builds, too, where it would take ten times as long.
    var optimized = false
}
/// What several plugins need, linked into each of them: plugins never depend on one another.
struct SharedModule {
    /// Name of the module and of its folder below `Plugins/Shared`.
    var name: String
    /// Other shared modules that it needs.
    var needs: [String] = []
    var libraries: [SystemLibrary] = []
    var tests = false
    /// As of ``Plugin``.
    var optimized = false
}
struct Shim {
    var name: String
    /// The libraries around which it is.
    var links: [String]
    /// A folder of their headers, whose own warnings are not ours.
    var headers: String?
}
struct SystemLibrary {
    var name: String
    var pkgConfig: String?
    /// Folders of headers, for libraries whose pkg-config file names flags that SwiftPM refuses aloud.
    var headers: [String] = []
    var apt: [String]
}

#if arch(arm64)
    let multiarch = "aarch64-linux-gnu"
#else
    let multiarch = "x86_64-linux-gnu"
#endif

let plugins: [Plugin] = [
    Plugin(
        name: "LocalBackend", folder: "Backends/Local",
        libraries: [SystemLibrary(name: "CFolderScan", apt: ["libxxhash-dev"])], samples: ["TestServers"]),
    Plugin(
        name: "PDFRenderer", folder: "Renderers/PDF",
        libraries: [
            SystemLibrary(
                name: "CPoppler", pkgConfig: "glib-2.0", headers: ["/usr/include/poppler/glib", "/usr/include/cairo"],
                apt: ["libpoppler-glib-dev"])
        ], samples: ["PDFSamples"]),
    // Its library is no package of Debian: scripts/install-pdfium fetches it, and it may be absent.
    Plugin(
        name: "PDFiumRenderer", folder: "Renderers/PDFium",
        libraries: [SystemLibrary(name: "CPDFium", apt: [])], samples: ["PDFSamples"]),
    Plugin(
        name: "ImageRenderer", folder: "Renderers/Image",
        libraries: [
            SystemLibrary(
                name: "CMagick",
                headers: ["/usr/include/ImageMagick-6", "/usr/include/\(multiarch)/ImageMagick-6"],
                apt: ["libmagickwand-6.q16-dev"]), SystemLibrary(name: "CHEIF", apt: ["libheif-dev", "libde265-dev"]),
            SystemLibrary(name: "CImageCodecs", apt: ["libpng-dev", "libwebp-dev", "libisal-dev", "libzstd-dev"]),
            SystemLibrary(name: "CTIFF", apt: ["libtiff-dev"]),
        ], shared: ["BinaryNumbers", "CodedColors", "EXIF", "PictureTraits"], samples: ["RendererFixtures"]),
    Plugin(
        name: "JPEGRenderer", folder: "Renderers/JPEG",
        libraries: [SystemLibrary(name: "CTurboJPEG", apt: ["libturbojpeg0-dev"])],
        shared: ["EXIF", "PictureTraits"], samples: ["RendererFixtures"]),
    Plugin(
        name: "JXLRenderer", folder: "Renderers/JXL",
        libraries: [SystemLibrary(name: "CJXL", apt: ["libjxl-dev"])],
        shared: ["EXIF", "PictureTraits"], samples: ["RendererFixtures"]),
    Plugin(
        name: "JPEGXRRenderer", folder: "Renderers/JPEGXR", shims: [Shim(name: "CJPEGXR", links: ["jpegxr"])],
        shared: ["BinaryNumbers", "EXIF", "PictureTraits"], samples: ["RendererFixtures"], optimized: true),
    Plugin(
        name: "XCFRenderer", folder: "Renderers/XCF",
        libraries: [SystemLibrary(name: "CXCF", apt: ["zlib1g-dev"])],
        shared: ["BinaryNumbers", "PictureTraits"], samples: ["RendererFixtures"]),
    Plugin(
        name: "PostScriptRenderer", folder: "Renderers/PostScript",
        libraries: [SystemLibrary(name: "CGhostscript", apt: ["libgs-dev"])], samples: ["RendererFixtures"]),
    Plugin(
        name: "SVGRenderer", folder: "Renderers/SVG",
        libraries: [
            SystemLibrary(
                name: "CRSVG", pkgConfig: "glib-2.0",
                headers: [
                    "/usr/include/librsvg-2.0", "/usr/include/gdk-pixbuf-2.0", "/usr/include/cairo",
                    "/usr/include/pango-1.0",
                    "/usr/include/harfbuzz",
                ],
                apt: ["librsvg2-dev", "libpango1.0-dev", "zlib1g-dev"])
        ]),
    Plugin(
        name: "LottieRenderer", folder: "Renderers/Lottie", shims: [Shim(name: "CLottie", links: ["rlottie"])],
        shared: ["ArchiveReading", "JSON", "PictureTraits"], samples: ["RendererFixtures"]),
    Plugin(
        name: "VideoRenderer", folder: "Renderers/Video", shared: ["AVMedia"],
        samples: ["MediaSamples", "RendererFixtures"]),
    Plugin(
        name: "AudioRenderer", folder: "Renderers/Audio",
        libraries: [SystemLibrary(name: "CCairo", headers: ["/usr/include/cairo"], apt: ["libcairo2-dev"])],
        shared: ["AVMedia"], samples: ["MediaSamples", "RendererFixtures"]),
    Plugin(
        name: "TextRenderer", folder: "Renderers/Text",
        libraries: [
            SystemLibrary(
                name: "CLetters", headers: ["/usr/include/uchardet"], apt: ["libuchardet-dev"])
        ],
        shared: ["JSON", "MIME", "PictureDecoding", "TextDrawing"], samples: ["RendererFixtures"]),
    // What people do not have in files: the contact sheets of `vitrine prebuild --sheet`.
    Plugin(
        name: "SheetRenderer", folder: "Renderers/Sheet", shared: ["PictureDecoding", "TextDrawing"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "OfficeRenderer", folder: "Renderers/Office",
        libraries: [
            SystemLibrary(
                name: "COffice", apt: ["libreofficekit-dev", "libturbojpeg0-dev", "libpng-dev", "zlib1g-dev"])
        ],
        shared: ["CompoundFiles", "MIME", "PictureTraits", "PrivateCopies", "WorkDocuments", "XML"],
        samples: ["RendererFixtures"]),
    Plugin(name: "WebDAVBackend", folder: "Backends/WebDAV", shared: ["Transfer", "XML"], servers: true),
    Plugin(
        name: "S3Backend", folder: "Backends/S3",
        libraries: [SystemLibrary(name: "CCrypto", apt: ["libssl-dev"])], shared: ["Transfer", "XML"], servers: true),
    Plugin(
        name: "MailRenderer", folder: "Renderers/Mail",
        libraries: [
            SystemLibrary(
                name: "CMail", pkgConfig: "glib-2.0", headers: ["/usr/include/gmime-3.0"], apt: ["libgmime-3.0-dev"])
        ],
        shared: ["CompoundFiles", "MIME", "PictureDecoding", "TextDrawing"], samples: ["RendererFixtures"]),
    Plugin(name: "MailBackend", folder: "Backends/Mail", shared: ["MIME", "Transfer"], servers: true),
    Plugin(
        name: "ComicRenderer", folder: "Renderers/Comic",
        shared: ["ArchiveReading", "PictureDecoding", "XML"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "PackageRenderer", folder: "Renderers/Package",
        libraries: [SystemLibrary(name: "CPackage", apt: ["libsqlite3-dev"])],
        shared: ["ArchiveReading", "CompoundFiles", "MIME", "PackagePreviews", "PictureDecoding", "PictureTraits"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "ProgramRenderer", folder: "Renderers/Program",
        libraries: [SystemLibrary(name: "CProgram", apt: ["libsquashfs-dev"])],
        shared: ["ArchiveReading", "CompoundFiles", "PictureDecoding"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "ArchiveRenderer", folder: "Renderers/Archive",
        shared: ["ArchiveReading", "MIME", "PackagePreviews", "PictureDecoding", "TextDrawing"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "ArchiveContainer", folder: "Containers/Archive", shared: ["ArchiveReading"],
        samples: ["RendererFixtures"]),
    // XML for its module of expat: pages of books declare the document types that servers may not.
    Plugin(
        name: "EbookRenderer", folder: "Renderers/Ebook",
        shared: ["ArchiveReading", "MIME", "PictureDecoding", "TextDrawing", "XML"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "FontRenderer", folder: "Renderers/Font",
        libraries: [
            SystemLibrary(
                name: "CFont",
                headers: ["/usr/include/freetype2", "/usr/include/harfbuzz", "/usr/include/cairo"],
                apt: ["libfreetype-dev", "libharfbuzz-dev", "libcairo2-dev"])
        ],
        shared: ["TextDrawing"], samples: ["RendererFixtures"]),
    Plugin(
        name: "RAWRenderer", folder: "Renderers/RAW",
        libraries: [SystemLibrary(name: "CRAW", apt: ["libraw-dev"])],
        shared: ["EXIF", "PictureDecoding"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "DjVuRenderer", folder: "Renderers/DjVu",
        libraries: [SystemLibrary(name: "CDjVu", apt: ["libdjvulibre-dev"])], samples: ["RendererFixtures"]),
    Plugin(
        name: "HTMLRenderer", folder: "Renderers/HTML",
        shims: [Shim(name: "CHelpFiles", links: ["mspack"]), Shim(name: "CLitehtml", links: ["litehtml", "gumbo"])],
        shared: ["MIME", "PictureDecoding", "PictureTraits", "TextDrawing"], samples: ["RendererFixtures"]),
    Plugin(
        name: "DICOMRenderer", folder: "Renderers/DICOM",
        shims: [
            Shim(
                name: "CDCMTK",
                links: ["dcmimage", "dcmimgle", "dcmjpeg", "dcmjpls", "dcmdata", "oflog", "ofstd", "openjp2"])
        ], shared: ["PictureTraits"], samples: ["RendererFixtures"]),
    Plugin(
        name: "NIfTIRenderer", folder: "Renderers/NIfTI", shared: ["BinaryNumbers"], samples: ["RendererFixtures"],
        optimized: true),
    Plugin(
        name: "ModelRenderer", folder: "Renderers/Model",
        libraries: [SystemLibrary(name: "CMeshopt", apt: ["libmeshoptimizer-dev"])],
        shims: [Shim(name: "CAssimp", links: ["assimp"]), Shim(name: "CDraco", links: ["draco"])],
        shared: [
            "ArchiveReading", "BinaryNumbers", "JSON", "MIME", "ModelDrawing", "PictureDecoding", "XML",
        ],
        samples: ["RendererFixtures"], optimized: true),
    Plugin(
        name: "CADRenderer", folder: "Renderers/CAD",
        shims: [
            Shim(
                name: "COpenCascade",
                links: [
                    "TKSTEP", "TKSTEPAttr", "TKSTEPBase", "TKIGES", "TKXSBase", "TKMesh", "TKTopAlgo", "TKBRep",
                    "TKMath", "TKernel",
                ],
                headers: "/usr/include/opencascade")
        ],
        shared: ["ArchiveReading", "ModelDrawing", "PrivateCopies", "XML"],
        samples: ["RendererFixtures", "TestSupport"]),
    Plugin(
        name: "XPSRenderer", folder: "Renderers/XPS",
        libraries: [
            SystemLibrary(
                name: "CGXPS", pkgConfig: "glib-2.0", headers: ["/usr/include/cairo"],
                apt: ["libgxps-dev", "zlib1g-dev"])
        ], shared: ["ArchiveReading", "PrivateCopies"], samples: ["RendererFixtures"]),
    Plugin(
        name: "TrackRenderer", folder: "Renderers/Track",
        shared: ["ArchiveReading", "BinaryNumbers", "JSON", "MIME", "TextDrawing", "XML"],
        samples: ["RendererFixtures"],
        optimized: true),
    Plugin(
        name: "NotesRenderer", folder: "Renderers/Notes",
        shared: ["ArchiveReading", "MIME", "PictureDecoding", "TextDrawing", "XML"], samples: ["RendererFixtures"]),
    Plugin(
        name: "DatabaseRenderer", folder: "Renderers/Database",
        libraries: [SystemLibrary(name: "CDatabase", apt: ["libsqlite3-dev"])],
        shared: ["PictureDecoding", "TextDrawing"], samples: ["RendererFixtures"]),
    Plugin(
        name: "CertificateRenderer", folder: "Renderers/Certificate",
        libraries: [SystemLibrary(name: "CGnuTLS", apt: ["libgnutls28-dev"])], shared: ["TextDrawing"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "ICCRenderer", folder: "Renderers/ICC", shared: ["PictureTraits", "TextDrawing"],
        samples: ["RendererFixtures"]),
    Plugin(
        name: "SFTPBackend", folder: "Backends/SFTP", libraries: [SystemLibrary(name: "CSSH", apt: ["libssh-dev"])],
        shared: ["Transfer"], samples: ["TestSupport"], servers: true),
    Plugin(name: "FTPBackend", folder: "Backends/FTP", shared: ["Transfer"], servers: true),
    Plugin(
        name: "RcloneBackend", folder: "Backends/Rclone", libraries: [SystemLibrary(name: "CDaemon", apt: [])],
        shared: ["JSON", "Transfer"], servers: true),
    Plugin(name: "BoxBackend", folder: "Backends/Box", shared: ["JSON", "Transfer"], servers: true),
    Plugin(name: "FeedBackend", folder: "Backends/Feed", shared: ["Transfer", "XML"], servers: true),
    // Misbehaves on command. Built for the tests, never installed.
    Plugin(name: "HostileRenderer", folder: "Testing/Hostile", tests: false),
]

let sharedModules: [SharedModule] = [
    // Numbers of a fixed size, in the bytes of files.
    SharedModule(name: "BinaryNumbers", optimized: true),
    // What numbers in pictures and films say of their colours.
    SharedModule(name: "CodedColors", tests: true),
    SharedModule(
        name: "AVMedia", needs: ["CodedColors", "MIME"],
        libraries: [
            SystemLibrary(
                name: "CAV", pkgConfig: "libavformat",
                apt: ["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev"])
        ]),
    // Requests to servers, for all backends that speak through libcurl.
    SharedModule(
        name: "Transfer", libraries: [SystemLibrary(name: "CCurl", apt: ["libcurl4-openssl-dev"])], tests: true),
    SharedModule(name: "JSON", tests: true),
    SharedModule(name: "XML", libraries: [SystemLibrary(name: "CExpat", apt: ["libexpat1-dev"])], tests: true),
    // What cameras write beside pictures.
    SharedModule(name: "EXIF", libraries: [SystemLibrary(name: "CEXIF", apt: ["libexif-dev"])], tests: true),
    SharedModule(name: "CompoundFiles"),
    // Surfaces in three dimensions, drawn without a graphics card.
    SharedModule(name: "ModelDrawing", optimized: true),
    // Documents as files, for libraries that open paths.
    SharedModule(name: "PrivateCopies"),
    // Mails, read in Swift: what lists them is the host.
    SharedModule(name: "MIME", libraries: [SystemLibrary(name: "CIconv", apt: [])], tests: true),
    SharedModule(
        name: "ArchiveReading", libraries: [SystemLibrary(name: "CArchive", apt: ["libarchive-dev"])]),
    SharedModule(
        name: "PictureDecoding", needs: ["PictureTraits"],
        libraries: [
            SystemLibrary(
                name: "CPictureCodecs",
                apt: ["libturbojpeg0-dev", "libpng-dev", "libwebp-dev", "libgif-dev", "zlib1g-dev"])
        ]),
    // What parts of documents of iWork are called.
    SharedModule(name: "WorkDocuments"),
    // Pictures that programs leave in their zip files.
    SharedModule(
        name: "PackagePreviews", needs: ["ArchiveReading", "CompoundFiles", "PictureDecoding", "WorkDocuments"]),
    SharedModule(
        name: "TextDrawing",
        libraries: [
            SystemLibrary(
                name: "CPango", pkgConfig: "glib-2.0",
                headers: ["/usr/include/pango-1.0", "/usr/include/harfbuzz", "/usr/include/cairo"],
                apt: ["libpango1.0-dev"])
        ]),
    SharedModule(
        name: "PictureTraits", libraries: [SystemLibrary(name: "CLCMS", apt: ["liblcms2-dev"])], tests: true),
]

let kit: Target.Dependency = .product(name: "VitrineKit", package: "VitrineKit")
let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
/// Installed programs look for their libraries beside themselves, so that a tree can be moved.
let installed: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib/vitrine"])
]

/// The same for installed plugins, which lie two folders below the libraries.
let installedPlugin: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../.."])]

/// Products are rounded before they are added, also where a processor could leave that out: every machine makes the same
/// of a picture.
let pixelLoops: [CSetting] = [.unsafeFlags(["-O3", "-ffp-contract=off"])]
func linking(_ libraries: [String]) -> [LinkerSetting] { libraries.map { .linkedLibrary($0) } }
func target(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: swift)
}
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: swift, linkerSettings: installed)
}
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: swift)
}

var targets: [Target] = [
    .systemLibrary(name: "CGIO", path: "Sources/CGIO", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CZlib", path: "Sources/CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CISAL", path: "Sources/CISAL", providers: [.apt(["libisal-dev"])]),
    .systemLibrary(
        name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CPlatform", linkerSettings: linking(["seccomp"])),
    .target(name: "CPicture", cSettings: pixelLoops, linkerSettings: linking(["isal", "png16"])),
    // What only the worker maps that finishes pictures; see its header.
    .target(
        name: "CEncoders", cSettings: pixelLoops, linkerSettings: linking(["turbojpeg", "webp", "webpmux", "avif"])),
    target("Finishing", [kit]),
    target("Timing", []),
    target("BaseFolders", []),
    target("FileBytes", []),
    target("PlaceNames", [kit]),
    target(
        "PreviewCache",
        [kit, "BaseFolders", "CGIO", "CISAL", "CZlib", "CPlatform", "FileBytes", "Finishing", "Timing"]),
    target("SQLite", [kit, "CSQLite", "Timing"]),
    target("Catalog", [kit, "SQLite", "CGIO", "CZlib", "Timing"]),
    target("Library", [kit, "BaseFolders", "PlaceNames", "SQLite"]),
    target("Containment", [kit, "CPlatform"]),
    target("PluginLoader", [kit]),
    target("IgnoreRules", [kit]),
    target("Settings", [kit, "BaseFolders", "CGIO", "Containment", "FileBytes", "IgnoreRules"]),
    // Manifests are JSON, which plugins read, too.
    target("PluginHost", [kit, "BaseFolders", "CGIO", "PluginLoader", "Containment", "FileBytes", "Settings", "JSON"]),
    target("WorkerWire", [kit, "Containment", "Finishing"]),
    target("Workers", [kit, "CPlatform", "WorkerWire", "Containment", "FileBytes", "Finishing", "Timing"]),
    // libsecret is loaded at run time, by those who need a secret.
    .target(
        name: "CSecret",
        cSettings: [
            .unsafeFlags([
                "-I/usr/include/libsecret-1", "-I/usr/include/glib-2.0", "-I/usr/lib/\(multiarch)/glib-2.0/include",
            ])
        ]),
    // libcurl is loaded at run time, too, by those who log in.
    .target(name: "CHTTP"),
    target("Accounts", [kit, "BaseFolders", "CGIO", "CSecret", "CHTTP", "FileBytes"]),
    target("RangeReading", [kit, "CPlatform", "FileBytes", "Workers"]),
    target(
        "Vitrine",
        [
            kit, "Accounts", "RangeReading", "PreviewCache", "PluginHost", "Workers", "WorkerWire", "CPlatform",
            "Settings", "Containment", "IgnoreRules", "Catalog", "Library", "Finishing", "CGIO", "Timing",
            "BaseFolders", "FileBytes", "PlaceNames",
        ]),
    target("DesktopService", [kit, "CGIO", "Vitrine", "PreviewCache", "Timing"]),
    target(
        "Doctor",
        [
            kit, "Arguments", "CGIO", "Vitrine", "PluginHost", "PreviewCache", "Workers", "Containment", "Settings",
            "Catalog", "FileBytes", "Library",
        ]),
    target("VitrineTesting", [kit]),
    // Apart from VitrineTesting, so that plugins outside of the tree need no libpng for their tests.
    .systemLibrary(name: "CPNG", path: "Sources/CPNG", providers: [.apt(["libpng-dev"])]),
    target("GoldenPictures", [kit, "VitrineTesting", "CPNG"]),
    target("Arguments", [kit]),
    target("TerminalPictures", [kit, "CZlib"]),
    program(
        "VitrineCLI",
        [
            kit, "Arguments", "CPlatform", "Vitrine", "DesktopService", "Doctor", "PluginHost", "PreviewCache",
            "Settings", "Containment", "CGIO", "Catalog", "Library", "TerminalPictures", "Finishing",
            "FileBytes", "PlaceNames", "Timing",
        ]),
    target("Picture", [kit, "CPicture", "Finishing"]),
    program(
        "VitrineWorker", [kit, "WorkerWire", "PluginLoader", "Containment", "CPlatform", "Picture", "Finishing"]),
]
var products: [Product] = [
    .executable(name: "vitrine", targets: ["VitrineCLI"]),
    .executable(name: "vitrine-worker", targets: ["VitrineWorker"]),
    .library(name: "Vitrine", targets: ["Vitrine"]),
    .library(name: "VitrineEncoders", type: .dynamic, targets: ["CEncoders"]),
    .library(name: "VitrineTesting", type: .dynamic, targets: ["VitrineTesting"]),
]

/// The settings of what sees these libraries.
func compiling(_ libraries: [SystemLibrary]) -> [SwiftSetting] {
    let headers = libraries.flatMap(\.headers).flatMap { ["-Xcc", "-I" + $0] }
    return swift + (headers.isEmpty ? [] : [.unsafeFlags(headers)])
}
let optimizing: [SwiftSetting] = [.unsafeFlags(["-O"])]
/// Their targets.
func systemTargets(_ libraries: [SystemLibrary], in folder: String) -> [Target] {
    libraries.map {
        .systemLibrary(
            name: $0.name, path: "\(folder)/\($0.name)", pkgConfig: $0.pkgConfig, providers: [.apt($0.apt)])
    }
}
func dependencies(_ libraries: [SystemLibrary]) -> [Target.Dependency] { libraries.map { .target(name: $0.name) } }

/// Shared modules of these names, and all that they need.
func withNeeds(_ names: [String]) -> [SharedModule] {
    let found = sharedModules.filter { names.contains($0.name) }
    let missing = found.flatMap(\.needs).filter { !names.contains($0) }
    return missing.isEmpty ? found : withNeeds(names + missing)
}
func dependencies(_ modules: [SharedModule]) -> [Target.Dependency] { modules.map { .target(name: $0.name) } }

for module in sharedModules {
    let folder = "Plugins/Shared/" + module.name
    let needed = withNeeds(module.needs)
    let libraries = module.libraries + needed.flatMap(\.libraries)
    targets += systemTargets(module.libraries, in: folder)
    targets.append(
        .target(
            name: module.name,
            dependencies: [kit] + dependencies(libraries) + dependencies(needed),
            path: folder + "/Sources",
            swiftSettings: compiling(libraries) + (module.optimized ? optimizing : [])))
    if module.tests {
        targets.append(
            .testTarget(
                name: module.name + "Tests",
                dependencies: [kit, "VitrineTesting", "TestServers", "RendererFixtures", .target(name: module.name)]
                    + dependencies(module.libraries),
                path: folder + "/Tests", swiftSettings: compiling(module.libraries)))
    }
}

for plugin in plugins {
    let folder = "Plugins/" + plugin.folder
    let shared = withNeeds(plugin.shared)
    let libraries = plugin.libraries + shared.flatMap(\.libraries)
    let settings = compiling(libraries)
    targets += systemTargets(plugin.libraries, in: folder)
    let shims: [Target.Dependency] = plugin.shims.map { .target(name: $0.name) }
    targets += plugin.shims.map {
        .target(
            name: $0.name, path: "\(folder)/\($0.name)",
            cxxSettings: $0.headers.map { [.unsafeFlags(["-isystem", $0])] },
            linkerSettings: linking($0.links))
    }
    // The exported symbols are a target of their own: every plugin has the same, and all tests are one program.
    let entry = plugin.name + "Entry"
    targets += [
        .target(
            name: plugin.name, dependencies: [kit] + dependencies(libraries) + dependencies(shared) + shims,
            path: folder + "/Sources",
            swiftSettings: settings + (plugin.optimized ? optimizing : [])),
        .target(
            name: entry, dependencies: [kit, .target(name: plugin.name)], path: folder + "/Entry",
            swiftSettings: settings, linkerSettings: installedPlugin),
    ]
    products.append(.library(name: plugin.name, type: .dynamic, targets: [entry]))
    if plugin.tests {
        targets.append(
            .testTarget(
                name: plugin.name + "Tests",
                dependencies: [kit, "VitrineTesting", .target(name: plugin.name)] + dependencies(shared)
                    + (plugin.servers ? ["TestServers"] : []) + plugin.samples.map { .target(name: $0) },
                path: folder + "/Tests", swiftSettings: settings))
    }
}

targets += [
    tests("VitrineKitTests", [kit, "VitrineTesting"]),
    tests("BaseFoldersTests", ["BaseFolders"]),
    tests("FileBytesTests", ["FileBytes", "TestSupport"]),
    tests("PreviewCacheTests", ["PreviewCache", "Finishing", "Picture", "CPNGReader", "CGIO", "TestSupport", kit]),
    .target(name: "CPNGReader", path: "Tests/CPNGReader", linkerSettings: linking(["png16"])),
    tests("SQLiteTests", ["SQLite", "TestSupport", kit]),
    tests("CatalogTests", ["Catalog", "SQLite", "TestSupport", kit]),
    tests("TerminalPicturesTests", ["TerminalPictures"]),
    tests("LibraryTests", ["Library", "SQLite", "TestSupport", kit]),
    tests("PictureTests", ["Picture", "Finishing", kit, "CPNGReader", "VitrineTesting", "CPicture"]),
    tests("PluginHostTests", ["PluginHost", "PluginLoader", "Containment", "TestSupport", kit]),
    tests("IgnoreRulesTests", ["IgnoreRules", "VitrineTesting", "TestSupport", kit]),
    tests("SettingsTests", ["Settings", "IgnoreRules", "Containment", "TestSupport", "VitrineTesting", kit]),
    tests(
        "DoctorTests",
        [
            "Doctor", "Vitrine", "VitrineCLI", "VitrineWorker", "PluginHost", "PreviewCache", "Workers", "Containment",
            "Settings", "Catalog", "Library", "TestSupport", kit,
        ]),
    tests("DesktopServiceTests", ["DesktopService", "PreviewCache", "VitrineTesting", kit]),
    tests("AccountsTests", ["Accounts", "TestSupport", "TestServers", kit]),
    tests("RangeReadingTests", ["RangeReading", "VitrineTesting", "TestSupport", kit]),
    tests("WorkerWireTests", ["WorkerWire", "Finishing", "VitrineTesting", kit]),
    target("TestSupport", [], path: "Tests/TestSupport"),
    // Starts and stops real servers.
    target("TestServers", [kit, "VitrineTesting"], path: "Tests/TestServers"),
    target("RendererFixtures", [kit, "VitrineTesting"], path: "Tests/RendererFixtures"),
    target("MediaSamples", [kit], path: "Tests/MediaSamples"),
    // What renderers of PDF have in common: documents, and what is expected of them.
    target("PDFSamples", [kit, "VitrineTesting"], path: "Tests/PDFSamples"),
    tests(
        "WorkersTests",
        ["Workers", "WorkerWire", "Containment", "CPlatform", "Timing", "TestSupport", "VitrineWorker", kit]),
    // Contains itself and tries to get out; the tests start it.
    .executableTarget(
        name: "ContainmentProbe", dependencies: ["Containment", "CPlatform"], path: "Tests/ContainmentProbe",
        swiftSettings: swift),
    tests(
        "ContainmentTests",
        ["Containment", "ContainmentProbe", "CPlatform", "Workers", "WorkerWire", "VitrineWorker", "TestSupport", kit]),
    tests(
        "VitrineTests",
        [
            "Vitrine", "VitrineTesting", "PluginHost", "Workers", "WorkerWire", "PreviewCache", "Settings",
            "IgnoreRules", "Library", "PlaceNames", "Timing", "TestSupport", "PDFSamples", kit,
        ]),
    tests(
        "EndToEndTests",
        [
            "Vitrine", "Catalog", "PreviewCache", "VitrineTesting", "GoldenPictures", "ContainmentProbe", "CPlatform",
            "TestServers", "TestSupport", "RendererFixtures", kit,
        ]),
    // A clock that the tests set, for the programs that they start.
    .target(name: "JumpingClock", path: "Tests/JumpingClock"),
    // Connections that are closed late, for the same.
    .target(name: "LateClosing", path: "Tests/LateClosing"),
    tests("VitrineTestingTests", ["VitrineTesting", kit]),
    tests("GoldenPicturesTests", ["GoldenPictures", "VitrineTesting", kit]),
]

// MARK: Fuzzing

// The same targets twice: with a seeded generator among the tests, and with libFuzzer in a program of its own, which is
// there for `make fuzz` only, since all of its code is built in another way.
let fuzzed: [Target.Dependency] = [
    kit, "Arguments", "WorkerWire", "Settings", "IgnoreRules", "Containment", "PluginHost", "PreviewCache", "Vitrine",
    "OfficeRenderer", "ImageRenderer", "EbookRenderer", "SheetRenderer", "PackageRenderer", "CompoundFiles",
    "ArchiveReading", "EXIF", "PictureDecoding", "PictureTraits", "MIME", "JSON", "XML", "Transfer", "MailBackend",
    "FeedBackend", "WebDAVBackend", "S3Backend", "FTPBackend", "RcloneBackend", "CGIO",
    "TextRenderer", "ModelRenderer", "DatabaseRenderer", "LottieRenderer", "JPEGXRRenderer", "AVMedia", "AudioRenderer",
]
let fuzzedSettings = compiling(plugins.flatMap(\.libraries) + sharedModules.flatMap(\.libraries))
if Context.environment["VITRINE_FUZZING"] == nil {
    targets.append(
        .testTarget(
            name: "FuzzingTests",
            dependencies: fuzzed + ["Workers", "VitrineWorker", "GoldenPictures", "VitrineTesting", "TestSupport"],
            path: "Fuzzing", exclude: ["Corpus", "Driver"], sources: ["Targets", "Tests"],
            swiftSettings: fuzzedSettings))
} else {
    targets.append(
        .executableTarget(
            name: "VitrineFuzz", dependencies: fuzzed, path: "Fuzzing", exclude: ["Corpus", "Tests"],
            sources: ["Targets", "Driver"],
            swiftSettings: fuzzedSettings + [
                .unsafeFlags(["-parse-as-library"]), .enableExperimentalFeature("Extern"),
            ]))
    products.append(.executable(name: "vitrine-fuzz", targets: ["VitrineFuzz"]))
}

// MARK: Benchmarks

/// A library in a tight loop, to compare the renderer of the same id with.
struct Loop {
    /// Folder below `Benchmarks/Loops`.
    var folder: String
    var renderer: String
    /// Modules that it has in common with others.
    var shared: [String] = []
    var headers: [String] = []
    var definitions: [String] = []
    var linked: [String] = []
}
let glib = ["/usr/include/glib-2.0", "/usr/lib/\(multiarch)/glib-2.0/include"]
let cairo = ["/usr/include/cairo"]
let pango = glib + cairo + ["/usr/include/pango-1.0", "/usr/include/harfbuzz"]
let pages = ["pangocairo-1.0", "pango-1.0", "cairo", "gobject-2.0", "glib-2.0"]
let loops: [Loop] = [
    Loop(
        folder: "PDF", renderer: "pdf", headers: glib + cairo + ["/usr/include/poppler/glib"],
        linked: ["poppler-glib", "cairo", "gobject-2.0", "glib-2.0"]),
    Loop(folder: "PDFium", renderer: "pdfium", linked: ["dl"]),
    Loop(folder: "JPEG", renderer: "jpeg", shared: ["LoopPictures"]),
    Loop(
        folder: "Image", renderer: "image",
        headers: ["/usr/include/ImageMagick-6", "/usr/include/\(multiarch)/ImageMagick-6"],
        definitions: ["MAGICKCORE_QUANTUM_DEPTH=16", "MAGICKCORE_HDRI_ENABLE=0"],
        linked: ["MagickWand-6.Q16", "MagickCore-6.Q16"]),
    Loop(
        folder: "SVG", renderer: "svg",
        headers: glib + cairo + ["/usr/include/librsvg-2.0", "/usr/include/gdk-pixbuf-2.0"],
        linked: ["rsvg-2", "cairo", "gobject-2.0", "glib-2.0"]),
    Loop(folder: "RAW", renderer: "raw", shared: ["LoopPictures"], linked: ["raw"]),
    Loop(folder: "Video", renderer: "video", linked: ["avformat", "avcodec", "avutil", "swscale"]),
    Loop(
        folder: "Audio", renderer: "audio", headers: cairo,
        linked: ["avformat", "avcodec", "avutil", "swscale", "cairo", "m"]),
    Loop(folder: "Office", renderer: "office", linked: ["dl"]),
    Loop(folder: "Text", renderer: "text", shared: ["LoopPages"], headers: pango),
    Loop(
        folder: "Mail", renderer: "mail", shared: ["LoopPages"], headers: pango + ["/usr/include/gmime-3.0"],
        linked: ["gmime-3.0"]),
    Loop(folder: "Ebook", renderer: "ebook", shared: ["LoopMembers", "LoopPictures"]),
    Loop(folder: "Comic", renderer: "comic", shared: ["LoopMembers", "LoopPictures"]),
    Loop(folder: "Archive", renderer: "archive", shared: ["LoopMembers", "LoopPages"], headers: pango),
    Loop(
        folder: "Font", renderer: "font", shared: ["LoopPages"], headers: pango + ["/usr/include/freetype2"],
        linked: ["freetype"]),
]
targets += [
    .target(
        name: "LoopSupport", dependencies: ["CPicture"], path: "Benchmarks/Loops/Support",
        linkerSettings: linking(["m"])),
    .target(
        name: "LoopPictures", dependencies: ["LoopSupport"], path: "Benchmarks/Loops/Pictures",
        linkerSettings: linking(["turbojpeg", "png16"])),
    .target(
        name: "LoopPages", dependencies: ["LoopSupport"], path: "Benchmarks/Loops/Pages",
        cSettings: [.unsafeFlags(pango.flatMap { ["-isystem", $0] })],
        linkerSettings: linking(pages)),
    .target(name: "LoopMembers", path: "Benchmarks/Loops/Members", linkerSettings: linking(["archive"])),
    .executableTarget(
        name: "PackingBench", dependencies: ["CPicture"], path: "Benchmarks/Packing",
        linkerSettings: linking(["png16", "z", "isal", "swscale", "avutil", "dl", "m"])),
    .executableTarget(
        name: "EmbeddingExample", dependencies: [kit, "Vitrine"], path: "Examples/Embedding", swiftSettings: swift,
        linkerSettings: installed),
    .executableTarget(
        name: "VitrineBench", dependencies: [kit, "Vitrine", "PluginHost", "PreviewCache", "CPlatform", "Timing"],
        path: "Benchmarks/VitrineBench", swiftSettings: swift, linkerSettings: installed),
]
targets += loops.map { loop in
    .executableTarget(
        name: "Loop" + loop.folder, dependencies: ["LoopSupport"] + loop.shared.map { .target(name: $0) },
        path: "Benchmarks/Loops/" + loop.folder,
        cSettings: [.unsafeFlags(loop.headers.flatMap { ["-isystem", $0] } + loop.definitions.map { "-D" + $0 })],
        linkerSettings: linking(loop.linked))
}
products.append(.executable(name: "vitrine-example", targets: ["EmbeddingExample"]))
products.append(.executable(name: "vitrine-bench", targets: ["VitrineBench"]))
products.append(.executable(name: "vitrine-bench-packing", targets: ["PackingBench"]))
products += ["JumpingClock", "LateClosing"].map { .library(name: $0, type: .dynamic, targets: [$0]) }
products += loops.map { .executable(name: "vitrine-loop-" + $0.renderer, targets: ["Loop" + $0.folder]) }

let package = Package(
    name: "Vitrine",
    products: products,
    dependencies: [.package(path: "Sources/VitrineKit")],
    targets: targets,
    swiftLanguageModes: [.v6]
)

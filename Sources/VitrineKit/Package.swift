// swift-tools-version: 6.2
import PackageDescription

// The SDK is a package of its own with one dynamic product: only so do engine and plugins share
// one copy of each type, and casts work across dlopen (docs/adr/0001).
let package = Package(
    name: "VitrineKit",
    products: [.library(name: "VitrineKit", type: .dynamic, targets: ["VitrineKit"])],
    targets: [
        .target(name: "CVitrineABI"),
        .target(
            name: "VitrineKit", dependencies: ["CVitrineABI"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"]),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

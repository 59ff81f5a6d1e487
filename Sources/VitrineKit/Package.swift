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
                // Optimized in debug builds, too: Swift 6.3 without optimization makes calls of a protocol's requirement
                // crash that return nothing and throw a frozen error (docs/adr/0001).
                .unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface", "-O"]),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

public import Foundation

/// Where the tests find what the build made, and what the checkout holds.
public enum Products {
    /// The folder of the test program, which is that of all products.
    public static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The root of the checkout.
    public static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the fixtures.
    public static let fixtures = checkout.appending(path: "fixtures")

    /// The path of a program.
    public static func program(_ name: String) -> String { folder.appending(path: name).path }

    /// The path of a plugin's library.
    public static func library(_ name: String) -> String { folder.appending(path: "lib\(name).so").path }
}

import Foundation
import TestServers

/// What a person with a browser does: opens an address and goes where it is sent. curl, in place of a browser.
enum Browser {
    /// Opens an address and follows redirects.
    /// - Returns: what the last page says, with its status in front.
    static func open(_ address: String) -> String {
        run(["--location", "--max-redirs", "3", address])
    }

    /// Where an address sends a browser, without going there.
    static func target(of address: String) -> String {
        run(["--output", "/dev/null", "--write-out", "%{redirect_url}", address])
    }

    private static func run(_ arguments: [String]) -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments = ["--silent", "--max-time", "20", "--noproxy", "*"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let output = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        return String(decoding: output ?? Data(), as: UTF8.self)
    }
}

extension ServiceStub {
    /// Whether all is there that logging in needs.
    static var canLogIn: Bool { isInstalled && FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") }
}

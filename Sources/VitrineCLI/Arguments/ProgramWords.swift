import FileBytes
import Glibc

/// What follows the program's name on the command line.
enum ProgramWords {
    /// Arguments are bytes: a file's name need not be UTF-8, and Swift's own list of arguments repairs what is not.
    static var all: [[UInt8]] {
        // Swift finds none at all, not even the program's name, when a preloaded library has changed the environment, as that of
        // faketime does: it looks for them where the environment was.
        guard CommandLine.argc > 0 else { return ofSystem }
        return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
            }
        }
    }

    /// As the system keeps them: each with a NUL byte behind it. None where `/proc` is not mounted.
    private static var ofSystem: [[UInt8]] {
        let descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // Linux takes no more than 6 MiB.
        let (bytes, failure) = FileBytes.readToEnd(limit: 8 << 20, from: descriptor)
        guard failure == nil, bytes.last == 0 else { return [] }
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst().map { Array($0) }
    }
}

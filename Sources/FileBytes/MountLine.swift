/// What a line of `/proc/PID/mountinfo` tells of a file system that is mounted; proc_pid_mountinfo(5).
public struct MountLine {
    /// The number of the file system, as `st_dev` has it; `nil` where none can be read.
    public let device: UInt64?
    /// Where it is mounted; blanks and backslashes are octal escapes.
    public let place: ArraySlice<UInt8>
    /// Its kind, such as `ext4` or `fuse.sshfs`.
    public let type: String
    /// What holds for it wherever it is mounted; `nil` where the line ends before.
    public let options: [ArraySlice<UInt8>]?

    /// Takes a table apart.
    /// - Parameter table: the content of the file. Lines that make no sense are passed over.
    public static func all(in table: [UInt8]) -> [MountLine] {
        table.split(separator: UInt8(ascii: "\n")).compactMap(MountLine.init)
    }

    private init?(_ line: ArraySlice<UInt8>) {
        // What is mounted may have no name.
        let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        // Before the mark are as many fields as the kernel has something to tell in.
        guard let mark = fields.dropFirst(6).firstIndex(where: { $0.elementsEqual("-".utf8) }), mark + 1 < fields.count
        else { return nil }
        device = Self.device(fields[2])
        place = fields[4]
        type = String(decoding: fields[mark + 1], as: UTF8.self)
        options = mark + 3 < fields.count ? fields[mark + 3].split(separator: UInt8(ascii: ",")) : nil
    }

    /// Two numbers, as makedev(3) puts them together.
    private static func device(_ field: ArraySlice<UInt8>) -> UInt64? {
        let numbers = String(decoding: field, as: UTF8.self).split(separator: ":").map { UInt32($0).map(UInt64.init) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        return (major & ~0xFFF) << 32 | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | minor & 0xFF
    }
}

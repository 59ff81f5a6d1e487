/// What programs send to printers: commands of PCL, mostly with the lines of PJL around them. Much of it may be letters, so that it
/// passes for a text.
enum PrinterData {
    /// Whether a file begins so (PCL 5 Printer Language Technical Reference, chapters 2 and 4; PJL Technical Reference, chapter 2).
    static func isSeen(in bytes: [UInt8]) -> Bool {
        if bytes.starts(with: exit) || bytes.starts(with: "@PJL ".utf8) { return true }
        // Behind a reset another command: terminals know the first one as well.
        return bytes.count > 3 && bytes.starts(with: reset) && bytes[2] == escape && "%&*(".utf8.contains(bytes[3])
    }

    private static let escape: UInt8 = 0x1B

    /// The commands that leave a language, which all files of PJL begin with, and that reset a printer.
    private static let exit = [escape] + "%-12345X".utf8
    private static let reset = [escape] + "E".utf8
}

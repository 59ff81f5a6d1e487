import Glibc
import VitrineKit

/// Addresses of servers as rsync, mount and Windows write them. Here they are paths, of files that are not there.
enum ServerAddress {
    /// What to do about an operand that names nothing on this machine and looks like such an address; `nil` for what does not.
    static func advice(for operand: String) -> String? {
        host(operand).map { host in
            "'\(DisplayText.of(operand))' is looked for on this machine; mount the share, and name its folder, or name the server "
                + "by a URI, such as sftp://\(host)/…"
        }
    }

    /// The server of `nas:/share`, `anna@nas:share`, `\\nas\share` or `//nas/share`.
    static func host(_ operand: String) -> String? {
        if operand.hasPrefix(#"\\"#) || operand.hasPrefix("//") {
            let host = operand.dropFirst(2).prefix { $0 != "/" && $0 != #"\"# }
            // A slash too many is another slip, and leads to a folder that is there.
            return isHost(host) && access("/\(host)", F_OK) != 0 ? String(host) : nil
        }
        let place = operand.prefix { $0 != "/" }
        guard let colon = place.firstIndex(of: ":") else { return nil }
        let names = place[..<colon].split(separator: "@", omittingEmptySubsequences: false)
        let path = operand[colon...].dropFirst()
        // 'chapter: one.pdf' is a file.
        guard names.count == 2 || path.hasPrefix("/"), names.count <= 2, let host = names.last, isHost(host) else {
            return nil
        }
        return String(host)
    }

    /// Whether it can be the name of a server; one letter is a drive of Windows.
    private static func isHost(_ name: Substring) -> Bool {
        name.utf8.count > 1
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

import FileBytes
import Glibc

/// The packages that dpkg installed: its status file, a list of paragraphs of `Field: value` lines (deb-control(5)).
struct DebianPackages {
    /// A package.
    struct Package: Hashable {
        var name: String
        var version: String
    }

    private var packages: [Package] = []

    /// Reads a status file.
    init(status: String) {
        var name: String?, version: String?
        var isInstalled = false
        func finish(_ packages: inout [Package]) {
            if let name, let version, isInstalled { packages.append(Package(name: name, version: version)) }
            (name, version, isInstalled) = (nil, nil, false)
        }
        for line in status.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty {
                finish(&packages)
            } else if let value = Self.value(of: "Package: ", line) {
                name = value
            } else if let value = Self.value(of: "Version: ", line) {
                version = value
            } else if let value = Self.value(of: "Status: ", line) {
                isInstalled = value == "install ok installed"
            }
        }
        finish(&packages)
    }

    /// This machine's; `nil` without dpkg, or with a status file over 64 MiB.
    static var installed: DebianPackages? {
        let fd = open("/var/lib/dpkg/status", O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG, 0...(64 << 20) ~= status.st_size else {
            return nil
        }
        let bytes = FileBytes.read(Int(status.st_size), from: fd).bytes
        return DebianPackages(status: String(decoding: bytes, as: UTF8.self))
    }

    /// The packages of this name, or of this name with a number behind it, which is how Debian names libraries; those
    /// for development are left out.
    func named(_ prefix: String) -> [Package] {
        packages.filter { package in
            guard package.name.hasPrefix(prefix) else { return false }
            let rest = package.name.dropFirst(prefix.count)
            return !["-dev", "-headers", "-common", "-doc"].contains { package.name.hasSuffix($0) }
                && (rest.isEmpty || rest.first?.isNumber == true)
        }
    }

    private static func value(of field: String, _ line: Substring.UTF8View) -> String? {
        line.starts(with: field.utf8) ? String(Substring(line.dropFirst(field.utf8.count))) : nil
    }
}

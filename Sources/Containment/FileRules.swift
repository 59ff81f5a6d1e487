import CPlatform
import Glibc

/// A Landlock rule set: denies all that the kernel's version can deny, save what is allowed.
struct FileRules: ~Copyable {
    private let ruleset: CInt
    private let abi: CInt

    /// The version of Landlock that the kernel offers, 0 without it.
    static var version: CInt { max(0, vp_landlock_abi()) }

    /// Why there is no Landlock.
    static var absence: String {
        let answer = vp_landlock_abi()
        return answer < 0 ? "Landlock: \(phrase(-answer))" : "Landlock: the kernel makes no rule set"
    }

    /// Starts a rule set; `nil` when the kernel refuses.
    init?() {
        let abi = Self.version
        guard abi > 0 else { return nil }
        let ruleset = vp_landlock_new(abi)
        guard ruleset >= 0 else { return nil }
        self.abi = abi
        self.ruleset = ruleset
    }

    deinit { close(ruleset) }

    /// Allows to read a file, or all below a folder. Paths that cannot be opened are left out.
    func read(_ paths: [String]) {
        for path in paths { _ = vp_landlock_allow(ruleset, abi, path, CInt(VP_FILES_READ)) }
    }

    /// Allows to read and to execute a file, or all below a folder. Paths that cannot be opened are left out.
    func run(_ paths: [String]) {
        for path in paths { _ = vp_landlock_allow(ruleset, abi, path, CInt(VP_FILES_RUN)) }
    }

    /// Allows to read and write all below a folder.
    func write(_ folder: String) { _ = vp_landlock_allow(ruleset, abi, folder, CInt(VP_FILES_WRITE)) }

    /// Allows to read and write a device.
    func device(_ path: String) { _ = vp_landlock_allow(ruleset, abi, path, CInt(VP_FILES_DEVICE)) }

    /// Puts the rules in force.
    /// - Returns: 0 or the errno.
    func enforce() -> CInt { -vp_landlock_enforce(ruleset) }

    /// What libraries read while they load and warm up.
    static let systemFolders = [
        "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/fonts", "/etc/libreoffice",
        "/etc/ImageMagick-6", "/etc/ImageMagick-7", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf",
        "/var/cache/fontconfig", "/var/lib/fontconfig", "/var/lib/libreoffice", "/var/spool/libreoffice",
        "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm", "/sys/devices/system/cpu",
        "/sys/devices/system/node", "/dev/zero", "/dev/urandom", "/dev/random",
    ]
}

extension ContainmentProfile {
    /// What the worker may do that runs a program of somebody else: start it, and with it what lies in `/usr`, read there,
    /// and write in a private folder. No manifest can ask for that. The worker has a PID namespace of its own besides,
    /// without which it gets no work.
    /// - Parameter program: an absolute path.
    public static func running(_ program: String) -> ContainmentProfile {
        ContainmentProfile(
            granted: [], threads: true, read: systemData, privateFolder: true, loadsLibraries: true, program: program)
    }

    /// What programs of a distribution read besides the folders of the system.
    private static let systemData = [
        "/usr", "/etc/alternatives", "/etc/fonts", "/etc/gtk-3.0", "/etc/ImageMagick-6", "/etc/ImageMagick-7",
        "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/var/cache/fontconfig", "/var/lib/fontconfig",
        "/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo",
        "/sys/devices/system/cpu",
    ]

    /// What such a worker may execute, interpreters and the dynamic linker among it.
    static let programFolders = ["/usr", "/lib", "/lib64", "/bin", "/sbin"]
}

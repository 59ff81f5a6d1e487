import CGIO
import Glibc

/// Which program the session bus starts when a file manager asks for thumbnails.
///
/// Services are files `*.service` in `dbus-1/services` of each folder of data; what comes first counts (D-Bus Specification,
/// "Message Bus Starting Services").
enum ThumbnailService {
    static let name = "org.freedesktop.thumbnails.Thumbnailer1"

    private static let maximumFiles = 4096
    private static let maximumSize = 64 << 10

    /// Whether it is Vitrine. Where one folder has files of several programs nobody can tell, so that it is not.
    /// - Parameter dataFolders: the user's folder of data and those of the system, the first searched first.
    static func isVitrine(in dataFolders: [String]) -> Bool {
        for folder in dataFolders {
            let programs = programs(in: "\(folder)/dbus-1/services")
            if !programs.isEmpty { return programs.allSatisfy { $0 == "vitrine" } }
        }
        return false
    }

    /// The names of the programs that files of a folder start for the service.
    private static func programs(in folder: String) -> [String] {
        var programs: [String] = []
        FileTree.walk(folder, limit: maximumFiles) { file, _ in
            guard file.hasSuffix(".service"), let program = program("\(folder)/\(file)") else { return }
            programs.append(program)
        }
        return programs
    }

    /// The name of the program that a file starts; `nil` when the file is about another service, or is none.
    private static func program(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize else {
            return nil
        }
        let keys = g_key_file_new()
        defer { g_key_file_free(keys) }
        guard g_key_file_load_from_file(keys, path, G_KEY_FILE_NONE, nil) != 0 else { return nil }
        func value(_ key: String) -> String? {
            guard let value = g_key_file_get_string(keys, "D-BUS Service", key, nil) else { return nil }
            defer { g_free(value) }
            return String(cString: value)
        }
        guard value("Name") == name, let line = value("Exec") else { return nil }
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard g_shell_parse_argv(line, nil, &words, nil) != 0, let words else { return nil }
        defer { g_strfreev(words) }
        return words[0].map { String(cString: $0) }?.split(separator: "/").last.map(String.init)
    }
}

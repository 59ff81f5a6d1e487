import Glibc
import VitrineKit

/// Whether the files of a folder can be read, and have times that make sense.
struct SourceCheck {
    let folder: String
    /// How many entries are looked at.
    var limit = 200_000

    var findings: [Finding] {
        let subject = DisplayText.of(folder)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            return [Finding(.sources, subject, .problem, PluginError(errno: errno, "it cannot be reached").message)]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [Finding(.sources, subject, .problem, "it is not a folder")]
        }
        var (inFuture, beforeTime) = (0, 0)
        let latest = time(nil) + 86_400
        let walk = FileTree.walk(folder, limit: limit) { _, status in
            guard status.st_mode & S_IFMT == S_IFREG else { return }
            if status.st_mtim.tv_sec > latest { inFuture += 1 }
            if status.st_mtim.tv_sec < 0 { beforeTime += 1 }
        }
        var findings: [Finding] = []
        if inFuture > 0 {
            findings.append(
                Finding(
                    .sources, subject, .warning, "\(inFuture) files are dated in the future",
                    advice: "their previews are valid until the files change; 'touch' gives them a true time"))
        }
        if beforeTime > 0 {
            findings.append(
                Finding(
                    .sources, subject, .warning, "\(beforeTime) files are dated before 1970",
                    advice: "some file managers do not show previews of them; 'touch' gives them a true time"))
        }
        if walk.unreadable > 0 {
            findings.append(
                Finding(
                    .sources, subject, .warning, "\(walk.unreadable) folders in it cannot be listed",
                    advice: "let this user read them, or leave them out"))
        }
        if findings.isEmpty {
            let count = walk.isCut ? "the first \(walk.count)" : "\(walk.count)"
            findings.append(Finding(.sources, subject, .ok, "\(count) files and folders can be listed"))
        }
        return findings
    }
}

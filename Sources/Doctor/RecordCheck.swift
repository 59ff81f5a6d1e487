import Catalog
import Glibc
import Library
import Vitrine
import VitrineKit

/// Whether the databases are sound in which Vitrine keeps what it was told and what it found out, and whether the system
/// lets as many folders be watched as are known.
struct RecordCheck {
    /// Where the library lies; `nil` when there is no home.
    var library: LibraryPlace?
    /// Where the catalog lies; `nil` when there is none.
    var catalog: String?
    var limits = WatchLimits.ofSystem

    var findings: [Finding] {
        var findings: [Finding] = []
        let sources = libraryFindings(&findings)
        guard let path = catalog else { return findings }
        do throws(PluginError) {
            guard let known = try Catalog.present(at: path) else { return findings }
            findings.append(try Self.finding(about: known))
            findings += try watching(sources, known)
        } catch {
            findings.append(Self.finding(about: error))
        }
        return findings
    }

    /// Looks at the library.
    /// - Returns: the sources that are registered in it.
    private func libraryFindings(_ findings: inout [Finding]) -> [RegisteredSource] {
        // Opening one that is not there makes it. One that is gone beside its backup is told.
        guard let place = library, access(place.file, F_OK) == 0 || access(place.backup, F_OK) == 0 else { return [] }
        func tell(_ state: Finding.State, _ text: String, advice: String? = nil, command: String? = nil) {
            findings.append(Finding(.library, "library", state, text, advice: advice, command: command))
        }
        do throws(PluginError) {
            let found = try LibraryCare.check(place)
            guard found.isEmpty else {
                tell(
                    .problem, "'\(DisplayText.of(place.file))' is damaged: \(found.prefix(3).joined(separator: "; "))",
                    advice: "this brings back its last backup and keeps what is there",
                    command: "vitrine library restore")
                return []
            }
            let library = try Library.openToRead(at: place)
            let sources = try library.sources()
            let collections = try library.collections().count
            do throws(PluginError) {
                try library.checkCanChange()
                let counts =
                    "\(sources.count) source\(sources.count == 1 ? "" : "s") and "
                    + "\(collections) collection\(collections == 1 ? "" : "s")"
                tell(.ok, "sound, with \(counts)")
            } catch { tell(.warning, error.message) }
            if let failure = library.failureOfBackup {
                tell(.warning, "its daily backup cannot be written: \(failure.message)")
            }
            return sources
        } catch {
            // Others write to it for a while: nothing is amiss.
            tell(error.code == .busy ? .note : .problem, error.message)
            return []
        }
    }

    private static func finding(about catalog: Catalog) throws(PluginError) -> Finding {
        let found = try catalog.check()
        if found.isEmpty { return Finding(.cache, "catalog", .ok, "sound") }
        return Finding(
            .cache, "catalog", .warning,
            "'\(DisplayText.of(catalog.path))' is damaged: \(found.prefix(3).joined(separator: "; "))",
            advice: "delete it while nothing runs: the next run makes it anew, and no preview is lost")
    }

    private static func finding(about error: PluginError) -> Finding {
        switch error.code {
        case .corrupt:
            Finding(
                .cache, "catalog", .warning, error.message,
                advice: "nothing needs to be done: the next run makes it anew, and no preview is lost")
        case .busy: Finding(.cache, "catalog", .note, error.message)
        default: Finding(.cache, "catalog", .problem, error.message)
        }
    }

    /// Whether the folders of registered sources can all be watched. A note, since those of network file systems need no watch,
    /// and nobody may want to watch any.
    private func watching(_ sources: [RegisteredSource], _ catalog: Catalog) throws(PluginError) -> [Finding] {
        var (folders, count) = (0, 0)
        for source in sources {
            guard let uri = try? SourceURI(source.uri), uri.scheme == "file",
                let place = try catalog.place(of: uri)
            else { continue }
            count += 1
            folders += try catalog.folderCount(below: place.path, in: place.source)
        }
        if count == 0 { return [] }
        var findings: [Finding] = []
        if let most = limits.folders, folders > most {
            findings.append(
                Finding(
                    .library, "watching", .note,
                    "the sources have \(folders) folders, of which this user may watch \(most); 'vitrine watch' looks at the "
                        + "others from time to time instead",
                    advice: "let the system watch more",
                    command: Self.command("max_user_watches", atLeast: folders)))
        }
        if let most = limits.sources, count >= most {
            findings.append(
                Finding(
                    .library, "watching", .note,
                    "all programs of this user together may have \(most) watches, of which each source needs one, and so many "
                        + "sources or more are registered; 'vitrine watch' looks at the others from time to time instead",
                    advice: "let the system have more", command: Self.command("max_user_instances", atLeast: count)))
        }
        if findings.isEmpty, let most = limits.folders {
            findings.append(
                Finding(
                    .library, "watching", .ok, "the sources have \(folders) of the \(most) folders that can be watched")
            )
        }
        return findings
    }

    /// Sets a limit to twice of what is needed at least, for other programs watch, too.
    private static func command(_ limit: String, atLeast count: Int) -> String {
        var number = 1024
        while number / 2 < count, number < 1 << 30 { number *= 2 }
        return
            "echo 'fs.inotify.\(limit) = \(number)' | sudo tee -a /etc/sysctl.d/60-inotify.conf && sudo sysctl --system"
    }
}

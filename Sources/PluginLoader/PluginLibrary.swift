import Glibc
import Synchronization
public import VitrineKit

/// The libraries of plugins that this process has mapped.
///
/// Nothing of a library is trusted before it has shown, in plain C, that it was built against an SDK that fits
/// this one: a Swift symbol of an SDK that does not fit is undefined behaviour. Libraries are never unmapped,
/// because the Swift runtime keeps pointers into them.
public enum PluginLibrary {
    /// Maps a plugin's library and takes its entry. May be called from any thread; blocks while the library and
    /// what it depends on are read.
    ///
    /// The first call for a library maps it, later ones return the same entry, whatever path leads to it. What
    /// replaces the file meanwhile is not looked at.
    /// - Parameter path: absolute path of the library.
    /// - Throws: `pluginUnavailable` with a sentence, when there is no such library, when something that it needs
    ///   is missing, or when it is no plugin for this version of the SDK. A library that was refused stays mapped
    ///   but unused; the next call tries again.
    public static func open(_ path: String) throws(PluginError) -> PluginEntry {
        let name = DisplayText.of(path)
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw PluginError(
                .pluginUnavailable, "the plugin library '\(name)' cannot be loaded: its path is not absolute")
        }
        guard let resolved = realpath(path, nil) else {
            throw PluginError(
                .pluginUnavailable,
                "\(PluginError(errno: errno, "the plugin library '\(name)' cannot be loaded").message); "
                    + "build or install the plugin again")
        }
        defer { free(resolved) }
        let canonical = String(cString: resolved)
        if let entry = opened.withLock({ $0[canonical] }) { return entry }
        // Outside the lock: the library's initializers are foreign code. Two threads that get here at once map it
        // once all the same, and the entry of the first one stays.
        let entry = try load(canonical, name: name)
        return opened.withLock { table in
            if let first = table[canonical] { return first }
            table[canonical] = entry
            return entry
        }
    }

    private static let opened = Mutex<[String: PluginEntry]>([:])

    private static func load(_ path: String, name: String) throws(PluginError) -> PluginEntry {
        // All symbols now, so that one that is missing is found here and not in the middle of a picture.
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            let reason = dlerror().map { DisplayText.of(String(cString: $0)) } ?? "the loader gives no reason"
            throw PluginError(
                .pluginUnavailable,
                "the plugin library '\(name)' cannot be loaded: \(reason); install what is missing or build the plugin "
                    + "again against this version of Vitrine")
        }
        typealias Info = @convention(c) () -> UnsafePointer<vitrine_plugin_info>?
        typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
        guard let info = function("vitrine_plugin_info_v1", in: library, as: Info.self) else {
            throw refused(name, "does not export vitrine_plugin_info_v1", "it is no plugin of Vitrine")
        }
        if let reason = PluginHandshake.objection(to: info()) { throw refused(name, reason.found, reason.advice) }
        guard let entry = function("vitrine_plugin_entry_v1", in: library, as: Entry.self) else {
            throw refused(
                name, "does not export vitrine_plugin_entry_v1", "add the entry function that VitrineKit describes")
        }
        guard let pointer = entry() else {
            throw refused(
                name, "answered nothing when asked for its entry",
                "let vitrine_plugin_entry_v1 return a PluginEntry")
        }
        return PluginEntry.take(pointer)
    }

    /// A C function of a library, or `nil` when it exports none of that name.
    private static func function<Function>(
        _ name: String, in library: UnsafeMutableRawPointer, as type: Function.Type
    ) -> Function? {
        guard let symbol = dlsym(library, name) else { return nil }
        // POSIX gives functions as data pointers; there is no other way to call one.
        return unsafeBitCast(symbol, to: type)
    }

    private static func refused(_ name: String, _ found: String, _ advice: String) -> PluginError {
        PluginError(.pluginUnavailable, "the plugin library '\(name)' is refused: it \(found); \(advice)")
    }
}

import Containment
import VitrineKit

@testable import PluginHost

extension FuzzTarget {
    /// The `plugin.json` of a plugin that somebody made.
    static let manifest = FuzzTarget(
        name: "manifest", maximumLength: PluginManifest.maximumSize + 16,
        words: [
            "\"id\":", "\"magic\":[", "\"bytes\":\"", "\"within\":", "\"limits\":{", "\"containment\":{", "\"and\":[",
            "null", "1e999", "-0", "1e18", "9223372036854775808", "\\u0000", "\\ud800", "[[[[", "../", "true",
        ],
        check: { bytes in
            let manifest: PluginManifest
            do throws(PluginError) { manifest = try PluginManifest(json: bytes, file: "plugin.json") } catch {
                return try error.mustBe(.invalidArgument, .pluginUnavailable)
            }
            try hold(manifest.abi == 1, "a plugin of ABI \(manifest.abi) was accepted")
            try hold(!manifest.library.hasPrefix("/"), "the library lies anywhere")
            try hold(!manifest.library.split(separator: "/").contains(".."), "the library lies outside of the folder")
            for (text, most) in [(manifest.id, 64), (manifest.version, 64), (manifest.name, 200)] {
                try hold(1...most ~= text.utf8.count, "'\(text)' is too short or too long")
                try text.mustBeShowable("a text of the manifest")
            }
            let isRenderer = manifest.kind == .renderer
            try hold(manifest.types.isEmpty != isRenderer, "a renderer has types, and only a renderer")
            try hold(manifest.schemes.isEmpty == isRenderer, "a backend has schemes, and only a backend")
            try hold(Set(manifest.types).count == manifest.types.count, "a type stands there twice")
            let head = [UInt8](repeating: 0, count: MagicPattern.reach)
            for pattern in manifest.magic {
                let end = pattern.part.offset + pattern.within + pattern.part.bytes.count
                try hold(end <= MagicPattern.reach, "a pattern reaches to byte \(end)")
                for count in [0, 1, pattern.part.bytes.count, head.count] { _ = pattern.matches(Array(head[..<count])) }
            }
            try hold(0.1...3600 ~= manifest.limits.seconds, "\(manifest.limits.seconds) s is no deadline")
            try hold(64...1_048_576 ~= manifest.limits.addressSpaceMiB, "the address space is out of range")
            for call in manifest.containment.calls {
                try hold(!["socket", "execve", "ptrace", "connect", "fork"].contains(call), "\(call) was granted")
            }
            for path in manifest.containment.read {
                try hold(path.hasPrefix("/") && !path.split(separator: "/").contains(".."), "'\(path)' may be read")
            }
        })
}

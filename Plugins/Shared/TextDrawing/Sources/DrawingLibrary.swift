internal import CPango
package import VitrineKit

/// pango, cairo and fontconfig as a whole, before a renderer is locked in.
package enum DrawingLibrary {
    /// Makes them quiet, and loads what they load late: fontconfig's list of fonts, and the commonest fonts.
    /// - Throws: `pluginUnavailable` when there is nothing to draw with.
    package static func warmUp() throws(PluginError) {
        g_log_set_default_handler({ _, _, _, _ in }, nil)
        guard FcInit() != 0 else {
            throw PluginError(.pluginUnavailable, "fontconfig finds no configuration; install fontconfig-config")
        }
        do throws(PluginError) {
            let page = try Page(box: 64)
            for (family, isBold) in [("Sans", false), ("Sans", true)] {
                let font = TextLayout.Font(family: family, size: 8, isBold: isBold)
                guard let layout = TextLayout(WarmUpText.text, font, on: page, width: Page.lineWidth) else { continue }
                layout.draw(on: page, x: 0, baseline: 10, pitch: 10)
            }
            _ = try page.finish()
        } catch {
            throw PluginError(.pluginUnavailable, "pango cannot draw a page of its own: \(error.message)")
        }
    }
}

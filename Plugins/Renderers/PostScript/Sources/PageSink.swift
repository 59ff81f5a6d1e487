internal import CGhostscript
internal import VitrineKit

/// Where Ghostscript's pages go: to nowhere but the one that is wanted, at which the program is ended.
final class PageSink {
    /// The page, once it was shown.
    private(set) var bitmap: Bitmap?
    /// Why a page was not let be made.
    private(set) var refusal: PluginError?
    /// How many pages were shown.
    private(set) var shown = 0

    private let page: Int
    private let maximumPixels: Int
    /// Of the page that is being drawn: Ghostscript's memory.
    private var pixels: UnsafePointer<UInt8>?
    private var size = PixelSize(width: 0, height: 0)
    private var bytesPerRow = 0

    /// - Parameters:
    ///   - page: the one that is wanted, from 0 on.
    ///   - maximumPixels: of any page.
    init(page: Int, _ maximumPixels: Int) {
        self.page = page
        self.maximumPixels = maximumPixels
    }

    /// Before memory for a page is taken.
    /// - Returns: an error of Ghostscript's when it is too large.
    private func allows(width: Int, height: Int) -> CInt {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        if !overflow, count <= maximumPixels, max(width, height) <= Bitmap.maximumSide { return 0 }
        refusal = PluginError(
            .limitExceeded, "a page would have \(width) × \(height) pixels; at most \(maximumPixels) are drawn")
        return gs_error_limitcheck.rawValue
    }

    /// After a page was shown.
    /// - Returns: an error of Ghostscript's that ends the program, once the page is there.
    private func show() -> CInt {
        defer { shown += 1 }
        guard shown == page else { return 0 }
        guard let pixels, size.width > 0, bytesPerRow >= 4 * size.width else { return gs_error_rangecheck.rawValue }
        do throws(PluginError) {
            let bitmap = try Bitmap(width: size.width, height: size.height, format: .bgrx)
            bitmap.withUnsafeMutableBytes { rows in
                for y in 0..<size.height {
                    let row = UnsafeRawBufferPointer(start: pixels + y * bytesPerRow, count: 4 * size.width)
                    UnsafeMutableRawBufferPointer(rebasing: rows[(y * bitmap.bytesPerRow)...]).copyMemory(from: row)
                }
            }
            self.bitmap = bitmap
        } catch {
            refusal = error
        }
        return gs_error_Quit.rawValue
    }

    /// The sink that a callback belongs to; it lives as long as the interpreter.
    private static func of(_ handle: UnsafeMutableRawPointer?) -> PageSink? {
        handle.map { Unmanaged<PageSink>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What Ghostscript calls.
    static var callbacks: display_callback {
        var calls = display_callback()
        calls.size = CInt(MemoryLayout<display_callback>.size)
        calls.version_major = DISPLAY_VERSION_MAJOR
        calls.version_minor = DISPLAY_VERSION_MINOR
        calls.display_open = { _, _ in 0 }
        calls.display_preclose = { handle, _ in
            PageSink.of(handle)?.pixels = nil
            return 0
        }
        calls.display_close = { _, _ in 0 }
        calls.display_presize = { handle, _, width, height, _, _ in
            PageSink.of(handle)?.allows(width: Int(width), height: Int(height)) ?? 0
        }
        calls.display_size = { handle, _, width, height, raster, _, pixels in
            guard let sink = PageSink.of(handle) else { return 0 }
            sink.size = PixelSize(width: Int(width), height: Int(height))
            sink.bytesPerRow = Int(raster)
            sink.pixels = UnsafePointer(pixels)
            return 0
        }
        calls.display_sync = { _, _ in 0 }
        calls.display_page = { handle, _, _, _ in PageSink.of(handle)?.show() ?? 0 }
        return calls
    }
}

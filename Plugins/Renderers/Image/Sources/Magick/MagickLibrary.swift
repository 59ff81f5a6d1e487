internal import CMagick
import Glibc
internal import VitrineKit

/// ImageMagick's set-up, once in a process.
enum MagickLibrary {
    /// Starts the library under the plugin's own policy and loads every coder, so that no file needs to be opened
    /// later.
    /// - Throws: `pluginUnavailable` when the policy is not in force or a coder that everybody needs is missing.
    static func start(_ environment: RendererEnvironment) throws(PluginError) {
        let policy = environment.pluginFolder + "/policy.xml"
        guard access(policy, R_OK) == 0 else {
            throw PluginError(.pluginUnavailable, "the policy '\(policy)' cannot be read; reinstall the plugin")
        }
        setenv("MAGICK_CONFIGURE_PATH", environment.pluginFolder, 1)
        setenv("MAGICK_THREAD_LIMIT", "1", 1)
        MagickWandGenesis()
        try checkPolicy(policy)
        setLimits(environment)
        for coder in ["JPEG", "PNG", "GIF", "TIFF", "WEBP"] where !load(coder) {
            throw PluginError(
                .pluginUnavailable, "ImageMagick has no coder for \(coder); install libmagickcore-6.q16-6")
        }
        // Others are in packages of their own; without them their files are 'unsupported'.
        for format in ImageFormat.allCases where format.hasCoder { _ = load(format.coder) }
        loadMessages()
    }

    /// Whether a coder is there; loads its module.
    static func load(_ coder: String) -> Bool {
        let exception = AcquireExceptionInfo()
        defer { DestroyExceptionInfo(exception) }
        return GetMagickInfo(coder, exception) != nil
    }

    /// The library reads every policy that it finds, so that presence of the file is no proof that it counts.
    private static func checkPolicy(_ path: String) throws(PluginError) {
        func mayRead(_ coder: String) -> Bool {
            IsRightsAuthorized(CoderPolicyDomain, ReadPolicyRights, coder) == MagickTrue
        }
        let denied = ["MVG", "MSL", "SVG", "PS", "PDF", "URL", "TEXT", "LABEL", "MPC", "EPHEMERAL"]
        let obeyed =
            !denied.contains(where: mayRead) && ImageFormat.allCases.allSatisfy { !$0.hasCoder || mayRead($0.coder) }
        let emptiness = GetPolicyValue("cache:memory-map")
        defer { RelinquishMagickMemory(emptiness) }
        guard obeyed, emptiness.map({ String(cString: $0) }) == "anonymous" else {
            throw PluginError(.pluginUnavailable, "ImageMagick does not follow the policy '\(path)'")
        }
    }

    private static func setLimits(_ environment: RendererEnvironment) {
        let pixels = MagickSizeType(clamping: environment.maximumPixels)
        let side = MagickSizeType(ImageRenderer.largestSide)
        // What remains is for the coders' own buffers and the bitmap.
        let memory = MagickSizeType(clamping: environment.addressSpace / 8 * 5)
        MagickSetResourceLimit(MemoryResource, memory)
        MagickSetResourceLimit(MapResource, 0)
        MagickSetResourceLimit(DiskResource, 0)
        // In bytes of the pixel cache; above it files would be used.
        MagickSetResourceLimit(AreaResource, pixels.multipliedReportingOverflow(by: 16).partialValue)
        MagickSetResourceLimit(WidthResource, min(pixels, side))
        MagickSetResourceLimit(HeightResource, min(pixels, side))
        MagickSetResourceLimit(ThreadResource, 1)
    }

    /// Texts of errors and names of colours lie in files that are read when the first is needed.
    private static func loadMessages() {
        let wand = NewMagickWand()
        defer { DestroyMagickWand(wand) }
        MagickSetFilename(wand, "PNG:")
        let nonsense: [UInt8] = [1, 2, 3, 4]
        _ = nonsense.withUnsafeBytes { MagickReadImageBlob(wand, $0.baseAddress, $0.count) }
        let pixel = NewPixelWand()
        defer { DestroyPixelWand(pixel) }
        PixelSetColor(pixel, "white")
    }
}

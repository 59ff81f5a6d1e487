internal import ArchiveReading
internal import CGXPS
internal import PrivateCopies
public import VitrineKit

/// Draws pages of XPS and OpenXPS documents with libgxps and cairo, straight at the size asked for, on white.
///
/// libgxps leaves out pictures in JPEG XR, and those that name a colour profile of their own. It reads parts in UTF-8 only;
/// those in UTF-16 are recoded before.
public final class XPSRenderer: Renderer {
    private let folder: String
    private let contentLimit: Int64

    /// Lets GIO and libgxps set themselves up, by a document that is none.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        guard let folder = environment.privateFolder else {
            throw PluginError(.pluginUnavailable, "libgxps reads files only, and the plugin has no folder for them")
        }
        self.folder = folder
        contentLimit = environment.addressSpace / 4
        g_log_set_default_handler({ _, _, _, _ in }, nil)
        try ArchiveLibrary.warmUp()
        do throws(PluginError) { _ = try XPSDocument(path: folder + "/none") } catch {}
    }

    /// Draws a page. All documents of a file are one after the other.
    /// - Throws: `empty` for no bytes, `corrupt`, `limitExceeded`, `invalidArgument` for a page that is not there;
    ///   and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the XPS document")
        try request.refuseMoment(in: "a document")
        let copy = try copy(of: input)
        // It is there as long as pages are read of it.
        defer { withExtendedLifetime(copy) {} }
        return try XPSDocument(path: copy.path).rendering(request)
    }

    private func copy(of input: any RandomAccessInput) throws(PluginError) -> PrivateCopy {
        if let document = try WideDocument(input, limit: contentLimit) { return try document.copy(in: folder) }
        return try PrivateCopy(of: input, in: folder, suffix: "xps", limit: contentLimit, for: "libgxps")
    }
}

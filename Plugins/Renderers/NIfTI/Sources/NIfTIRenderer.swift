public import VitrineKit

/// Draws volumes of the body in NIfTI 1 and 2, as scanners' pictures are studied: the slice in the middle from head to foot, the front up
/// and the right side at the left, as radiologists look at it. Of volumes that follow one another in time the first is shown.
///
/// Texts of the header, which may name somebody, are not read.
public final class NIfTIRenderer: Renderer {
    private let maximumPixels: Int

    /// There is nothing to load.
    public init(_ environment: RendererEnvironment) throws(PluginError) { maximumPixels = environment.maximumPixels }

    /// Draws the slice, which is the only page; there are no moments.
    /// - Throws: `empty` for no bytes, `corrupt`, `unsupported` for numbers that are no shades, `limitExceeded`, or what the input
    ///   throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the NIfTI file")
        try request.checkSinglePicture(in: "the NIfTI file")
        let head = try input.head(NIfTIHeader.length)
        let header = try head.withUnsafeBufferPointer { bytes throws(PluginError) in
            try NIfTIHeader(UnsafeRawBufferPointer(bytes))
        }
        let slice = try VolumeSlice(header, input, maximumPixels: maximumPixels)
        return Rendering(try slice.bitmap(box: request.box), facts: Facts(size: slice.size))
    }
}

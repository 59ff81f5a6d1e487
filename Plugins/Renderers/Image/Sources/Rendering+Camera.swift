internal import EXIF
internal import VitrineKit

extension Rendering {
    /// A picture with what a camera wrote beside it: turned as that says, and with its facts.
    /// - Parameters:
    ///   - bitmap: as the file's rows are.
    ///   - stored: the picture's size in the file.
    ///   - camera: the block; `nil` when there is none.
    init(
        _ bitmap: Bitmap, _ stored: PixelSize, camera: UnsafeRawBufferPointer?, _ request: RenderRequest
    ) throws(PluginError) {
        let block = camera.flatMap { EXIFBlock($0) }
        let orientation = Orientation(exif: block?.orientation ?? 1)
        var facts = Facts(size: orientation.applied(to: stored))
        if let block { facts.add(block, wantsPlace: request.wantsPlace) }
        self.init(try orientation.applied(to: bitmap), facts: facts)
    }
}

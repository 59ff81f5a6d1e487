internal import EXIF
internal import PictureTraits
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
        let orientation = PictureOrientation(UInt32(block?.orientation ?? 1))
        let size = orientation.swapsSides ? PixelSize(width: stored.height, height: stored.width) : stored
        var facts = Facts(size: size)
        if let block { facts.add(block, wantsPlace: request.wantsPlace) }
        self.init(try orientation.upright(bitmap), facts: facts)
    }
}

package import CAV
package import VitrineKit

extension FrameGeometry {
    /// Reads the geometry from a frame and its stream. What the container says about the shape of pixels and
    /// about turning goes before what the codec says.
    /// - Throws: `corrupt` when a side is not above zero.
    package init(_ frame: UnsafeMutablePointer<AVFrame>, of video: VideoStream, box: Int) throws(PluginError) {
        let shape = av_guess_sample_aspect_ratio(nil, video.pointer, frame)
        var matrix = video.displayMatrix
        if matrix.isEmpty, let side = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX) {
            let data = UnsafeRawBufferPointer(start: side.pointee.data, count: side.pointee.size)
            matrix = Array(data.bindMemory(to: Int32.self))
        }
        try self.init(
            width: Int(frame.pointee.width), height: Int(frame.pointee.height),
            pixelAspectRatio: shape.num > 0 && shape.den > 0 ? av_q2d(shape) : 1,
            orientation: Orientation(displayMatrix: matrix), box: box)
    }
}

internal import PackagePreviews
internal import PictureDecoding
internal import VitrineKit

/// Where the program that wrote a file left its preview, for files that are no zip files.
enum PreviewPlace {
    case canvas, compound, drawing, layout, loose, painting, printerCode, scene

    /// Bytes of a file by which this is told.
    static let headLength = 32

    /// - Parameters:
    ///   - head: the first bytes.
    ///   - type: what the engine found; only for code, which is text.
    /// - Returns: `nil` for all else.
    init?(_ head: [UInt8], type: String) {
        if BlenderScene.begins(Array(head.prefix(BlenderScene.headLength))) {
            self = .scene
        } else if CompoundPreview.begins(head) {
            self = .compound
        } else if DrawingPreview.begins(head) {
            self = .drawing
        } else if StudioCanvas.begins(head) {
            self = .canvas
        } else if LayoutPreview.begins(head) {
            self = .layout
        } else if LoosePreview.begins(head) {
            self = .loose
        } else if PaintingHeader.begins(head) {
            self = .painting
        } else if type == PrinterCode.type {
            self = .printerCode
        } else {
            return nil
        }
    }

    /// Reads the preview.
    /// - Throws: `unsupported` where there is none, `corrupt` or `limitExceeded` where it cannot be decoded, or what the
    ///   input throws.
    func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        switch self {
        case .canvas: try StudioCanvas.preview(input, box: box, decoder)
        case .compound: try CompoundPreview.preview(input, box: box, decoder)
        case .drawing: try DrawingPreview.preview(input, box: box, decoder)
        case .layout: try LayoutPreview.preview(input, box: box, decoder)
        case .loose: try LoosePreview.preview(input, box: box, decoder)
        case .painting: try PaintingHeader.preview(input, box: box, decoder)
        case .printerCode: try PrinterCode.preview(input, box: box, decoder)
        case .scene: try BlenderScene.preview(input)
        }
    }
}

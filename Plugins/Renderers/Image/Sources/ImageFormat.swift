/// The formats that the renderer reads, nearly each with the coder of ImageMagick that reads it.
///
/// The coder is chosen here, from the file's first bytes, and named to ImageMagick: its own guessing knows formats
/// that are programs, and names of files that are commands.
enum ImageFormat: String, CaseIterable {
    case animatedCursor = "ANI"
    case appleIcon = "ICNS"
    case aseprite = "ASE"
    case avif = "AVIF"
    case bmp = "BMP"
    case cineon = "CIN"
    case cursor = "CUR"
    case dcx = "DCX"
    case dds = "DDS"
    case dib = "DIB"
    case dpx = "DPX"
    case exr = "EXR"
    case farbfeld = "FF"
    case fits = "FITS"
    case gif = "GIF"
    case gimpBrush = "GBR"
    case gimpPattern = "PAT"
    case gimpPipe = "GIH"
    case hdr = "HDR"
    case heic = "HEIC"
    case icon = "ICO"
    case jng = "JNG"
    case jpeg2000Codestream = "J2K"
    case jpeg2000 = "JP2"
    case jpeg = "JPEG"
    case ktx = "KTX"
    case miff = "MIFF"
    case mng = "MNG"
    case pam = "PAM"
    case pcx = "PCX"
    case pfm = "PFM"
    case photoCD = "PCD"
    case png = "PNG"
    case pnm = "PNM"
    case psb = "PSB"
    case psd = "PSD"
    case qoi = "QOI"
    case sgi = "SGI"
    case sun = "SUN"
    case tga = "TGA"
    case tiff = "TIFF"
    case tiff64 = "TIFF64"
    case wbmp = "WBMP"
    case webp = "WEBP"
    case xbm = "XBM"
    case xpm = "XPM"
    case xwd = "XWD"

    /// The name by which ImageMagick knows the coder.
    var coder: String { rawValue }

    /// Whether ImageMagick reads it at all.
    var hasCoder: Bool {
        switch self {
        case .animatedCursor, .appleIcon, .aseprite, .farbfeld, .fits, .gimpBrush, .gimpPattern, .gimpPipe, .jng, .ktx,
            .qoi, .xbm:
            false
        default: true
        }
    }

    /// Whether the file holds pages that a reader may ask for. Animations and icons hold more than one picture too,
    /// but those are not pages.
    var hasPages: Bool { self == .tiff || self == .tiff64 }

    /// Whether the file holds the same picture at several sizes.
    var hasSizes: Bool { self == .icon || self == .cursor }

    /// Whether the coder opens a file by its path.
    var needsPath: Bool { self == .exr }
}

internal import CPicture
import Finishing
import VitrineKit

/// Cuts a square out of a picture.
struct Crop {
    private let anchor: Finish.Anchor

    init(_ anchor: Finish.Anchor) { self.anchor = anchor }

    /// - Parameter side: that of the square; the picture's shorter side.
    func square(of picture: Pixels, side: Int) throws(PluginError) -> Pixels {
        let isWide = picture.width > picture.height
        let first = min(max(0, start(picture, isWide, side)), max(picture.width, picture.height) - side)
        return try picture.cut(x: isWide ? first : 0, y: isWide ? 0 : first, width: side, height: side)
    }

    private func start(_ picture: Pixels, _ isWide: Bool, _ side: Int) -> Int {
        let longer = isWide ? picture.width : picture.height
        switch anchor {
        case .center: return (longer - side) / 2
        case .focus(let x, let y): return longer * (isWide ? x : y) / 1000 - side / 2
        case .attention, .entropy:
            return Int(
                cpicture_best_part(
                    picture.start, CInt(picture.width), CInt(picture.height), isWide ? 1 : 0, CInt(side),
                    anchor == .attention ? 1 : 0))
        }
    }
}

public import VitrineKit

extension Rendering {
    /// Leaves it to ``convertColors`` to bring the picture to sRGB.
    /// - Parameter profile: of the bitmap's colours, which are no inks and have red first; `nil`: they are in sRGB.
    public mutating func takeColors(of profile: ColorProfile?) {
        guard let profile, !profile.isSRGB else { return }
        convertColors = { profile.convert($0) }
    }
}

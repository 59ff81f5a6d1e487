public import Finishing
public import IgnoreRules
public import PreviewCache
public import RangeReading
public import VitrineKit

/// What a run shall do.
public struct PrebuildOptions: Sendable {
    /// The sizes to make. One rendering serves all. Default: `large`.
    public var sizes: [PreviewSize]
    /// What is made of the previews: a format, its quality, a square. Anything but the default lies in Vitrine's own
    /// store, for file managers read nothing else than PNG. Several pages, and their arrangement, do not count. Default:
    /// nothing is made of them.
    public var finish = Finish.plain
    /// Makes previews anew even where there are valid ones.
    public var force = false
    /// Finds out what would be made, and makes nothing.
    public var isDryRun = false
    /// Whether names that begin with a dot are entered. Default: as the settings say.
    public var includesHidden = false
    /// Patterns of what is left out, besides those of the settings and of the folders; they go before both.
    public var exclude: [IgnorePattern] = []
    /// Patterns of the files that are taken, in place of those of the settings. Default: as the settings say.
    public var include: [IgnorePattern] = []
    /// Whether symbolic links are followed.
    public var followsLinks = false
    /// Whether folders on other file systems are entered.
    public var crossesFileSystems = false

    /// Whether folders get pictures of what is in them, too. Default: no.
    public var makesFolders = false

    /// How much may be read of storages that are not on this machine. Default: 64 MiB of each item.
    public var limits = ReadLimits()

    /// When pictures inside of items are taken; `nil`: as the settings say. Default: `nil`.
    public var embedded: EmbeddedUse?

    /// What to do when another run is at work on one of the sources. Default: wait for it.
    public var whenBusy = BusyPolicy.wait

    /// Creates options.
    public init(sizes: [PreviewSize] = [.large]) { self.sizes = sizes }

    /// Which pictures of the items are made.
    var variant: Variant {
        var variant = Variant.standard
        variant.finish = finish
        (variant.finish.parts, variant.finish.arrangement) = (.one, .single)
        return variant
    }
}

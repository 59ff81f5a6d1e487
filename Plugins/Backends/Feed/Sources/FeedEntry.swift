import VitrineKit

/// Something that an entry of a feed points to.
struct FeedMedia: Hashable, Sendable {
    /// As it is written, possibly relative.
    var address: String
    var contentType: String?
    var size: Int64?
}

/// An entry of a feed.
struct FeedEntry: Hashable, Sendable {
    var title = ""
    /// What the feed calls it by: stays when the title changes.
    var identifier = ""
    var date: Timestamp?
    var media: [FeedMedia] = []
}

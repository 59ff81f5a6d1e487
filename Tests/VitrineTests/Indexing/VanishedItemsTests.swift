import Catalog
import PreviewCache
import TestSupport
import Testing

@testable import Vitrine

@Suite struct VanishedItemsTests {
    @Test func `a collection spares what is out of reach`() throws {
        let scratch = try TemporaryFolder()
        let catalog = try Catalog.open(at: scratch.path + "/catalog.sqlite").catalog
        let cache = PreviewCache(
            folders: CacheFolders(thumbnails: scratch.path + "/t", previews: scratch.path + "/p"), version: "1.0.0")
        let home = try catalog.source("file://" + scratch.path)
        let disk = try catalog.source("file:///media/alice/disk")
        let unplugged = try catalog.source("file://" + scratch.path + "/unplugged")
        try catalog.note(.absent, reason: "it is not there", of: disk.id, now: 1)
        // Where a disk was mounted when it was last seen is a folder like others now.
        try catalog.note(isMountPoint: true, of: unplugged.root)
        var options = CollectionOptions()
        try VanishedItems(catalog, cache).spare(in: &options)
        #expect(options.absent.sorted() == ["file:///media/alice/disk", unplugged.uri])
        #expect(!options.absent.contains(home.uri))
    }
}

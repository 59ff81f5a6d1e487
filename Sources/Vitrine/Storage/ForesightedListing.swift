/// A folder's listing that can be looked through before it is gone through, as far as a few thousand entries.
///
/// Files that say something about their folder come in no order, and must be known before all others. Of a folder
/// that is larger, only as much is kept as fits; what is not seen then has to be asked for.
struct ForesightedListing<Pages: AsyncIteratorProtocol> where Pages.Element == [Entry], Pages.Failure == PluginError {
    private static var reach: Int { 4096 }

    private var pages: Pages
    private var kept: [[Entry]] = []
    private var taken = 0
    private var isAll = false
    /// What ended the listing while it was looked through.
    private var failure: PluginError?

    init(_ pages: Pages) { self.pages = pages }

    /// What was seen so far.
    var seen: SeenEntries { SeenEntries(pages: kept, isAll: isAll) }

    /// Looks ahead.
    /// - Throws: what ended the listing before anything was listed. If something was, ``next()`` throws it.
    mutating func look() async throws(PluginError) {
        var count = 0
        do throws(PluginError) {
            while count < Self.reach {
                guard let page = try await pages.next(isolation: nil) else {
                    isAll = true
                    return
                }
                kept.append(page)
                count += page.count
            }
        } catch {
            if count == 0 { throw error }
            failure = error
        }
    }

    /// The next page.
    /// - Throws: what ended the listing, after all that came before.
    mutating func next() async throws(PluginError) -> [Entry]? {
        if taken < kept.count {
            defer {
                kept[taken] = []
                taken += 1
            }
            return kept[taken]
        }
        if let failure { throw failure }
        return isAll ? nil : try await pages.next(isolation: nil)
    }
}

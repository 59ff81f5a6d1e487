extension RenderRequest {
    /// The page as people count, from 1: for sentences.
    public var pageNumber: Int { page == .max ? page : page + 1 }

    /// Refuses a page that an item does not have.
    /// - Parameters:
    ///   - count: how many it has; 1 for items that know no pages.
    ///   - item: what it is, such as `the PDF document`.
    ///   - unit: what is counted. Default: `page`.
    /// - Throws: `invalidArgument`, with a sentence that counts from 1.
    public func checkPage(of count: Int, in item: String, unit: String = "page") throws(PluginError) {
        guard 0..<max(0, count) ~= page else {
            throw PluginError(
                .invalidArgument,
                "there is no \(unit) \(pageNumber): \(item) has \(count == 1 ? "only one" : "\(count) of them")")
        }
    }

    /// Refuses to choose a moment of an item that stands still.
    /// - Parameter item: what it is, such as `a PDF document`.
    /// - Throws: `invalidArgument` when a moment is asked for.
    public func refuseMoment(in item: String) throws(PluginError) {
        guard time == nil else {
            throw PluginError(.invalidArgument, "\(item) has no moments to choose from; ask for it without a time")
        }
    }

    /// Refuses another page than the first, and every moment: for items that are one picture.
    /// - Parameter item: what it is, such as `the drawing`.
    /// - Throws: `invalidArgument`, as ``checkPage(of:in:unit:)`` and ``refuseMoment(in:)``.
    public func checkSinglePicture(in item: String) throws(PluginError) {
        try checkPage(of: 1, in: item)
        try refuseMoment(in: item)
    }
}

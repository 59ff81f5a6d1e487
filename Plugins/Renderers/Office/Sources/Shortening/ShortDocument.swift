internal import PrivateCopies
internal import VitrineKit

/// A document for LibreOffice that has the first page of another one, and little else of it.
protocol ShortDocument {
    /// Writes it.
    /// - Parameters:
    ///   - folder: where to; nobody else may write in it.
    ///   - suffix: of the file's name, without a dot.
    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy

    /// Pages or slides of the whole document.
    /// - Parameter pages: pages or slides that LibreOffice finds in this one.
    /// - Returns: `nil` when the first page may look otherwise than in the whole document, so that this one is of no use.
    func allPages(whenShown pages: Int) -> Int?
}

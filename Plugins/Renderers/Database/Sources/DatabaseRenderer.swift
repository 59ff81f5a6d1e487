internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws what is in a database of SQLite: the first rows of the table that says most, and the names of the others. Maps in tiles
/// (MBTiles, GeoPackage) are shown by one of their outermost tiles, where these are pictures.
///
/// What is still in a log beside the file (`-wal`, `-journal`) is not seen.
public final class DatabaseRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Loads fonts.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a database, which has one page and no moments.
    /// - Throws: `empty` for no bytes or no tables, `corrupt`, `limitExceeded`, `invalidArgument` for another page or a moment, or what
    ///   the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the database")
        try request.checkSinglePicture(in: "the database")
        let file = try DatabaseFile(input)
        let contents = try DatabaseContents(input, file)
        var facts = Facts()
        if let name = FactName(rawValue: "tableNames") { facts.set(name, contents.tables.map(\.name)) }
        if request.wantsText { facts.text = contents.text }
        if let tile = try MapTile.picture(contents, file, box: request.box, decoder) {
            return Rendering(tile, facts: facts)
        }
        let page = try Page(box: request.box)
        page.draw(contents)
        return Rendering(try page.finish("the database"), facts: facts)
    }
}

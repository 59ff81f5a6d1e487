internal import PictureDecoding
internal import VitrineKit

/// A map that is kept as pictures of its parts, each level of them finer than the one before (MBTiles 1.3; OGC 12-128r18, 2.2).
enum MapTile {
    /// Tiles of the outermost level that are looked at.
    private static let mostTiles = 64

    /// The tile of the outermost level with the most bytes, which shows most.
    /// - Returns: `nil` for what is no such map, and for one whose tiles are no pictures or are damaged.
    /// - Throws: what the input throws.
    static func picture(
        _ contents: DatabaseContents, _ file: DatabaseFile, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap? {
        guard let source = source(of: contents.tables) else { return nil }
        let tiles = "FROM \(source.tiles) WHERE zoom_level = (SELECT min(zoom_level) FROM \(source.levels))"
        do throws(PluginError) {
            // Of how long a tile is the list tells, without the tile: one is read.
            var (count, longest, place) = (0, Int64(0), 0)
            try file.each("SELECT length(tile_data) \(tiles) LIMIT \(mostTiles)") { row in
                if row.number(0) > longest { (longest, place) = (row.number(0), count) }
                count += 1
                return true
            }
            var bytes: [UInt8] = []
            try file.each("SELECT tile_data \(tiles) LIMIT 1 OFFSET \(place)") { row in
                bytes = row.bytes(0)
                return false
            }
            return PictureDecoder.canDecode(bytes) ? try decoder.picture(bytes, box: box).bitmap : nil
        } catch {
            guard [.corrupt, .limitExceeded, .unsupported].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Where tiles and their levels are: in one table, or in two, where several tiles are the same picture.
    private static func source(of tables: [DatabaseContents.Table]) -> (tiles: String, levels: String)? {
        func has(_ table: DatabaseContents.Table, _ columns: String...) -> Bool {
            columns.allSatisfy(table.columns.contains)
        }
        if let one = tables.first(where: { has($0, "zoom_level", "tile_column", "tile_row", "tile_data") }) {
            let name = "main." + DatabaseFile.quoted(one.name)
            return (name, name)
        }
        guard tables.contains(where: { $0.name == "map" && has($0, "zoom_level", "tile_id") }),
            tables.contains(where: { $0.name == "images" && has($0, "tile_id", "tile_data") })
        else { return nil }
        return ("main.map JOIN main.images USING (tile_id)", "main.map")
    }
}

internal import VitrineKit

/// Puts the layers of a picture together, from the lowest up.
struct LayerPainter: ~Copyable {
    private let picture: XCFPicture
    /// Of an indexed picture: what each index stands for, opaque.
    private let palette: [SIMD4<Float>]
    private let step: Int
    private let blank: Plane
    private var reader: TileReader
    private let values: UnsafeMutableBufferPointer<Float>
    private let masks: UnsafeMutableBufferPointer<Float>
    /// Tiles that could be read, and those that could not.
    private(set) var drawn = 0, damaged = 0

    /// - Parameter box: the longest side wanted, in pixels.
    init(_ picture: XCFPicture, box: Int) {
        self.picture = picture
        palette = (0..<picture.palette.count / 3).map { index in
            let colour = picture.palette[(3 * index)..<(3 * index + 3)].map { Float($0) / 255 }
            return SIMD4(colour[0], colour[1], colour[2], 1)
        }
        step = Plane.step(of: picture.size, box: box)
        blank = Plane(of: picture.size, box: box)
        reader = TileReader(picture)
        let most = TileMap.side * TileMap.side * 4
        values = .allocate(capacity: most)
        masks = .allocate(capacity: most)
        values.initialize(repeating: 0)
        masks.initialize(repeating: 0)
    }

    deinit {
        values.deallocate()
        masks.deallocate()
    }

    /// - Returns: the whole picture.
    mutating func paint() -> Plane {
        var plane = blank
        lay(picture.layers[...], on: &plane)
        return plane
    }

    /// Lays layers of one group, with those that are in groups among them, on a plane.
    private mutating func lay(_ layers: ArraySlice<XCFLayer>, on plane: inout Plane) {
        var end = layers.endIndex
        // What is in a group follows it; to go from below, each look back finds the next member of this group.
        guard let depth = layers.map(\.depth).min() else { return }
        while end > layers.startIndex {
            var start = end - 1
            while start > layers.startIndex, layers[start].depth > depth { start -= 1 }
            let layer = layers[start]
            if layer.isVisible, layer.opacity > 0 { lay(layer, with: layers[(start + 1)..<end], on: &plane) }
            end = start
        }
    }

    private mutating func lay(_ layer: XCFLayer, with inner: ArraySlice<XCFLayer>, on plane: inout Plane) {
        guard layer.isGroup else {
            guard let map = layer.pixels else { return }
            let upper = cells(of: layer, map)
            return Self.join(upper, layer, on: &plane)
        }
        let mask = layer.mask.map { cells(ofMask: layer, $0) }
        if layer.blending.passesThrough {
            var upper = plane
            lay(inner, on: &upper)
            for index in plane.cells.indices {
                let part = layer.opacity * (mask?.cells[index].w ?? 1)
                plane.cells[index] =
                    part >= 1
                    ? upper.cells[index]
                    : Blending(mode: 62).lay(upper.cells[index], opacity: part, on: plane.cells[index])
            }
            return
        }
        var upper = blank
        lay(inner, on: &upper)
        if let mask { for index in upper.cells.indices { upper.cells[index].w *= mask.cells[index].w } }
        Self.join(upper, layer, on: &plane)
    }

    private static func join(_ upper: Plane, _ layer: XCFLayer, on plane: inout Plane) {
        for index in plane.cells.indices {
            let lower = plane.cells[index]
            plane.cells[index] = layer.blending.lay(upper.cells[index], opacity: layer.opacity, on: lower)
        }
    }

    // MARK: Pixels

    /// A layer's own pixels, its mask included.
    private mutating func cells(of layer: XCFLayer, _ map: TileMap) -> Plane {
        var plane = blank
        eachTile(of: layer, map) { painter, tile in
            guard let channels = painter.read(map, tile, into: painter.values) else { return }
            var maskChannels = 0
            if let mask = layer.mask {
                guard let read = painter.read(mask, tile, into: painter.masks) else { return }
                maskChannels = read
            }
            painter.add(tile, channels, maskChannels, layer.hasAlpha, to: &plane)
        }
        average(&plane)
        return plane
    }

    /// A mask as the alpha of a plane.
    private mutating func cells(ofMask layer: XCFLayer, _ map: TileMap) -> Plane {
        var plane = blank
        eachTile(of: layer, map) { painter, tile in
            guard let channels = painter.read(map, tile, into: painter.masks) else { return }
            for index in 0..<tile.count { painter.values[index] = 0 }
            painter.add(tile, 1, channels, false, to: &plane)
        }
        average(&plane)
        return plane
    }

    private struct Tile {
        var column: Int
        var row: Int
        /// Of its upper left pixel, in the picture.
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var count: Int { width * height }
    }

    /// Goes through those tiles that lie in the picture at least in part.
    private mutating func eachTile(
        of layer: XCFLayer, _ map: TileMap, _ body: (inout LayerPainter, Tile) -> Void
    ) {
        let side = TileMap.side
        for row in 0..<map.rows {
            let y = layer.offset.y + row * side
            let height = min(side, layer.size.height - row * side)
            guard y < picture.size.height, y + height > 0 else { continue }
            for column in 0..<map.columns {
                let x = layer.offset.x + column * side
                let width = min(side, layer.size.width - column * side)
                guard x < picture.size.width, x + width > 0 else { continue }
                body(&self, Tile(column: column, row: row, x: x, y: y, width: width, height: height))
            }
        }
    }

    private mutating func read(
        _ map: TileMap, _ tile: Tile, into values: UnsafeMutableBufferPointer<Float>
    ) -> Int? {
        let room = UnsafeMutableBufferPointer(rebasing: values[..<(4 * tile.count)])
        let read = reader.read(map, column: tile.column, row: tile.row, count: tile.count, into: room)
        if read == nil { damaged += 1 } else { drawn += 1 }
        return read
    }

    /// Adds a tile's pixels to the cells in which they lie, multiplied by their alpha.
    private func add(_ tile: Tile, _ channels: Int, _ maskChannels: Int, _ hasAlpha: Bool, to plane: inout Plane) {
        let (columns, rows) = (
            max(0, -tile.x)..<min(tile.width, picture.size.width - tile.x),
            max(0, -tile.y)..<min(tile.height, picture.size.height - tile.y)
        )
        let (step, width) = (self.step, plane.width)
        plane.cells.withUnsafeMutableBufferPointer { cells in
            for y in rows {
                let first = (tile.y + y) / step * width
                for x in columns {
                    let index = y * tile.width + x
                    var pixel = colour(index * channels, channels, hasAlpha)
                    if maskChannels > 0 { pixel.w *= masks[index * maskChannels] }
                    let alpha = pixel.w
                    pixel *= alpha
                    pixel.w = alpha
                    cells[first + (tile.x + x) / step] += pixel
                }
            }
        }
    }

    /// A pixel's colour and alpha.
    private func colour(_ at: Int, _ channels: Int, _ hasAlpha: Bool) -> SIMD4<Float> {
        let alpha = hasAlpha && channels > 1 ? values[at + channels - 1] : 1
        switch picture.colours {
        case .indexed:
            let index = Int(values[at] * 255 + 0.5)
            var colour = index < palette.count ? palette[index] : .zero
            colour.w = alpha
            return colour
        case .grey:
            let grey = coded(values[at])
            return SIMD4(grey, grey, grey, alpha)
        case .rgb:
            guard channels >= 3 else { return SIMD4(0, 0, 0, alpha) }
            return SIMD4(coded(values[at]), coded(values[at + 1]), coded(values[at + 2]), alpha)
        }
    }

    private func coded(_ value: Float) -> Float { picture.samples.isLinear ? TransferCurve.coded(value) : value }

    /// Makes averages of sums.
    private func average(_ plane: inout Plane) {
        for y in 0..<plane.height {
            let rows = min(step, picture.size.height - y * step)
            for x in 0..<plane.width {
                let columns = min(step, picture.size.width - x * step)
                var cell = plane.cells[y * plane.width + x]
                guard cell.w > 0 else { continue }
                let alpha = cell.w
                cell /= alpha
                cell.w = alpha / Float(rows * columns)
                plane.cells[y * plane.width + x] = cell
            }
        }
    }
}

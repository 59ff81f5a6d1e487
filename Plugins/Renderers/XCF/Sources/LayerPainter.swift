internal import VitrineKit

/// Puts the layers of a picture together, from the lowest up.
struct LayerPainter: ~Copyable {
    private let picture: XCFPicture
    /// Of an indexed picture: what each index stands for, opaque.
    private let palette: [SIMD4<Float>]
    private let step: Int
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
        // One for each group that is open, and those of the picture, of a layer or a mask, and of one that is copied.
        let groups = picture.layers.filter(\.isGroup).map(\.depth).max().map { $0 + 1 } ?? 0
        step = Plane.step(of: picture.size, box: box, planes: groups + 3)
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
        var plane = blank()
        lay(picture.layers[...], on: &plane)
        return plane
    }

    /// Nothing, as large as the picture.
    private func blank() -> Plane { plane(0..<picture.size.width, 0..<picture.size.height) }

    /// The cells in which these pixels lie.
    private func plane(_ columns: Range<Int>, _ rows: Range<Int>) -> Plane {
        func cells(_ pixels: Range<Int>) -> Range<Int> {
            pixels.lowerBound / step..<(pixels.upperBound + step - 1) / step
        }
        return Plane(columns: cells(columns), rows: cells(rows))
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
            // What follows is of a group that could not be read.
            if !inner.isEmpty { lay(inner, on: &plane) }
            guard let map = layer.pixels, let upper = cells(of: layer, map) else { return }
            return join(upper, layer.blending, layer.opacity, on: &plane)
        }
        var upper = layer.blending.passesThrough ? plane : blank()
        lay(inner, on: &upper)
        let mask = layer.mask.map { cells(ofMask: layer, $0) }
        guard layer.blending.passesThrough else {
            if let mask { for index in upper.cells.indices { upper.cells[index].w *= mask.cells[index].w } }
            return join(upper, layer.blending, layer.opacity, on: &plane)
        }
        // In place of what was there, as far as the group is opaque.
        var replacing = Blending(mode: 62)
        replacing.compositesLinear = layer.blending.compositesLinear
        for index in plane.cells.indices {
            let part = layer.opacity * (mask?.cells[index].w ?? 1)
            plane.cells[index] = replacing.lay(upper.cells[index], opacity: part, on: plane.cells[index])
        }
    }

    /// Lays a plane on one that is as large as the picture.
    private func join(_ upper: Plane, _ blending: Blending, _ opacity: Float, on plane: inout Plane) {
        for y in 0..<upper.height {
            let (from, to) = (y * upper.width, (upper.y + y) * plane.width + upper.x)
            for x in 0..<upper.width {
                plane.cells[to + x] = blending.lay(upper.cells[from + x], opacity: opacity, on: plane.cells[to + x])
            }
        }
    }

    // MARK: Pixels

    /// A layer's own pixels, its mask included.
    /// - Returns: the part of the picture that the layer changes; `nil` when it lies beside the picture.
    private mutating func cells(of layer: XCFLayer, _ map: TileMap) -> Plane? {
        let (columns, rows) = seen(layer)
        var plane = layer.blending.reachesBeyond ? blank() : plane(columns, rows)
        guard !plane.cells.isEmpty else { return nil }
        eachTile(of: layer, columns, rows) { painter, tile in
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

    /// The mask of a group as the alpha of a plane as large as the picture.
    private mutating func cells(ofMask layer: XCFLayer, _ map: TileMap) -> Plane {
        var plane = blank()
        let (columns, rows) = seen(layer)
        eachTile(of: layer, columns, rows) { painter, tile in
            guard let channels = painter.read(map, tile, into: painter.masks) else { return }
            for index in 0..<tile.count { painter.values[index] = 0 }
            painter.add(tile, 1, channels, false, to: &plane)
        }
        average(&plane)
        return plane
    }

    /// The pixels of the picture in which a layer lies; empty when it lies beside it.
    private func seen(_ layer: XCFLayer) -> (columns: Range<Int>, rows: Range<Int>) {
        func part(_ offset: Int, _ length: Int, _ whole: Int) -> Range<Int> {
            let start = min(max(0, offset), whole)
            return start..<max(start, min(whole, offset + length))
        }
        return (
            part(layer.offset.x, layer.size.width, picture.size.width),
            part(layer.offset.y, layer.size.height, picture.size.height)
        )
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
        of layer: XCFLayer, _ columns: Range<Int>, _ rows: Range<Int>, _ body: (inout LayerPainter, Tile) -> Void
    ) {
        let side = TileMap.side
        func tiles(_ pixels: Range<Int>, _ offset: Int) -> Range<Int> {
            pixels.isEmpty ? 0..<0 : (pixels.lowerBound - offset) / side..<(pixels.upperBound - offset - 1) / side + 1
        }
        for row in tiles(rows, layer.offset.y) {
            for column in tiles(columns, layer.offset.x) {
                body(
                    &self,
                    Tile(
                        column: column, row: row, x: layer.offset.x + column * side, y: layer.offset.y + row * side,
                        width: min(side, layer.size.width - column * side),
                        height: min(side, layer.size.height - row * side)))
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
        let (step, width, left, top) = (self.step, plane.width, plane.x, plane.y)
        // A division for each column, not for each pixel.
        let places = columns.map { (tile.x + $0) / step - left }
        plane.cells.withUnsafeMutableBufferPointer { cells in
            for y in rows {
                let first = ((tile.y + y) / step - top) * width
                for (x, place) in zip(columns, places) {
                    let index = y * tile.width + x
                    var pixel = colour(index * channels, channels, hasAlpha)
                    if maskChannels > 0 { pixel.w *= masks[index * maskChannels] }
                    let alpha = pixel.w
                    pixel *= alpha
                    pixel.w = alpha
                    cells[first + place] += pixel
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
            let rows = min(step, picture.size.height - (plane.y + y) * step)
            for x in 0..<plane.width {
                let columns = min(step, picture.size.width - (plane.x + x) * step)
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

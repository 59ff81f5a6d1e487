internal import ModelDrawing
internal import VitrineKit

/// Geomview's object file format (http://www.geomview.org/docs/html/OFF.html), as text: a word that says what each point has,
/// how many points and faces there are, a line for each point, and the numbers of each face's corners.
///
/// Geomview reads words, on whatever lines they are. So are the head and the corners of faces read here; points are read by
/// lines, as programs write them, since some have more or less on each than the head says.
///
/// Assimp, which reads it too, leaves faces of more than nine corners out, so that a cylinder has no lid, and crashes over
/// faces that it counted and then passes over.
struct OFFFile {
    private var scanner: TextScanner
    private var mesh = Mesh()
    /// What the word says that points have.
    private var hasTexture = false, hasColours = false, hasNormals = false, hasWeights = false, namesDimensions = false
    /// Numbers of a place, without its weight.
    private var dimensions = 3
    private var points = 0, faces = 0
    /// The numbers of a line.
    private var numbers: [Double] = []

    /// What is taken of a line and of a face: more is nothing that a program writes.
    private static let mostNumbers = 32, mostCorners = 1000

    /// - Throws: `corrupt`, `limitExceeded`, and `unsupported` for what is no text in units of a byte.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0, 0]) else {
            throw PluginError(.unsupported, "the model is not written in UTF-8 or ASCII")
        }
        // What says that it is UTF-8 is passed over.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: bytes[3...]) : bytes
        var file = Self(scanner: TextScanner(text))
        try file.readHead(size: text.count)
        try file.readPoints()
        try file.readFaces()
        if file.mesh.corners.isEmpty { file.mesh.kind = .cloud }
        return file.mesh
    }

    private init(scanner: TextScanner) { self.scanner = scanner }

    // MARK: Head

    /// Reads the word, the number of dimensions where an `n` is in it, and the counts. Some programs leave the word out.
    private mutating func readHead(size: Int) throws(PluginError) {
        skipSpace()
        let hasWord = takeWord()
        scanner.skipBlanks()
        if take("BINARY") {
            throw PluginError(.unsupported, "the model is written in numbers of Geomview's own, and not as text")
        }
        if namesDimensions { dimensions = count() }
        points = count()
        faces = count()
        guard 1...Self.mostNumbers / 2 ~= dimensions, hasWord || points > 0 else { throw Self.damaged }
        // Each has two bytes at least.
        guard points <= size / 2, faces <= size / 2 else {
            throw PluginError(
                .corrupt, "the model claims \(points) points and \(faces) faces, more than its \(size) bytes can hold")
        }
        skipEdges()
    }

    /// Goes behind how many edges there are, which is of no use: on the line of another count, on one of its own, or, as some
    /// programs write it, nowhere.
    private mutating func skipEdges() {
        scanner.skipBlanks()
        let isHere = scanner.next.map { $0 > 0x20 && $0 != UInt8(ascii: "#") } ?? false
        scanner.skipLine()
        if isHere { return }
        // The first point has more numbers on its line.
        var ahead = self
        ahead.readLine()
        if ahead.numbers.count == 1, ahead.number(0) >= 0 { self = ahead }
    }

    private static let damaged = PluginError(.corrupt, "the file is no model in OFF, or its head is damaged")

    private mutating func takeWord() -> Bool {
        // Without it a digit is the first of a count.
        var ahead = self
        ahead.hasTexture = ahead.take("ST")
        ahead.hasColours = ahead.take("C")
        ahead.hasNormals = ahead.take("N")
        ahead.hasWeights = ahead.take("4")
        ahead.namesDimensions = ahead.take("n")
        guard ahead.take("OFF") else { return false }
        self = ahead
        return true
    }

    private mutating func take(_ word: String) -> Bool {
        var ahead = scanner
        guard word.utf8.allSatisfy({ ahead.take($0) }) else { return false }
        scanner = ahead
        return true
    }

    /// More digits than any count has are as many as there can be; what is no number is zero.
    private mutating func count() -> Int {
        skipSpace()
        let start = scanner.at
        let number = scanner.integer()
        return max(0, number ?? (scanner.at > start ? .max : 0))
    }

    // MARK: Points

    private mutating func readPoints() throws(PluginError) {
        numbers.reserveCapacity(Self.mostNumbers)
        for _ in 0..<points {
            readLine()
            if numbers.isEmpty { break }
            try addPoint()
        }
    }

    /// A place, then what the word promises; what is missing at the end is what the point has not.
    private mutating func addPoint() throws(PluginError) {
        var place = SIMD3(number(0), dimensions > 1 ? number(1) : 0, dimensions > 2 ? number(2) : 0)
        var next = dimensions
        if hasWeights {
            let weight = number(next)
            if weight != 0, weight.isFinite { place /= weight }
            next += 1
        }
        var traits = Mesh.Traits()
        if hasNormals {
            let normal = SIMD3<Float>(SIMD3(number(next), number(next + 1), number(next + 2)))
            if (0..<3).allSatisfy({ normal[$0].isFinite }) { traits.normal = normal }
            next += 3
        }
        let rest = numbers.count - next - (hasTexture ? 2 : 0)
        if hasColours, rest >= 3 { traits.colour = colour(next, count: min(rest, 4)) }
        try mesh.add(place: place, traits)
    }

    private func number(_ index: Int) -> Double { numbers.indices ~= index ? numbers[index] : .nan }

    /// Red, green, blue and perhaps alpha: from 0 to 1, or to 255 where one of them is more than 1.
    private func colour(_ first: Int, count: Int) -> SIMD4<UInt8> {
        let isWhole = (0..<count).contains { number(first + $0) > 1 }
        let unit = isWhole ? 255.0 : 1
        var colour = SIMD3<Float>(SIMD3(number(first), number(first + 1), number(first + 2)) / unit).coded
        if count > 3 { colour.w = SIMD3<Float>(repeating: Float(number(first + 3) / unit)).coded.x }
        return colour
    }

    /// Takes the numbers of the next line that has some; none at the end.
    private mutating func readLine() {
        skipSpace()
        numbers.removeAll(keepingCapacity: true)
        while numbers.count < Self.mostNumbers {
            scanner.skipBlanks()
            guard let byte = scanner.next, byte > 0x20, byte != UInt8(ascii: "#") else { break }
            numbers.append(scanner.number())
        }
        scanner.skipLine()
    }

    private mutating func skipSpace() {
        scanner.skipSpace()
        while scanner.take(UInt8(ascii: "#")) {
            scanner.skipLine()
            scanner.skipSpace()
        }
    }

    // MARK: Faces

    /// How many corners a face has, and the points there, from 0 on; a colour may follow on the same line.
    private mutating func readFaces() throws(PluginError) {
        var corners: [Int] = []
        for _ in 0..<faces {
            skipSpace()
            if scanner.isAtEnd { break }
            corners.removeAll(keepingCapacity: true)
            var left = scanner.integer() ?? 0
            while left > 0 {
                scanner.skipSpace()
                guard let corner = scanner.integer() else { break }
                if corners.count < Self.mostCorners { corners.append(corner) }
                left -= 1
            }
            scanner.skipLine()
            try addFace(corners)
        }
    }

    private mutating func addFace(_ corners: [Int]) throws(PluginError) {
        let isKnown = corners.allSatisfy { mesh.points.indices ~= $0 }
        let triangles =
            isKnown && corners.count > 3
            ? EarClipping.triangles(corners.map { mesh.points[$0] }) : EarClipping.fan(corners.count)
        for (a, b, c) in triangles { try mesh.add(corners: corners[a], corners[b], corners[c]) }
    }
}

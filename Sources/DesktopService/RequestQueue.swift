import PreviewCache

/// What was asked for and is not made yet. Who looks at a folder goes first, and the last folder before those that were left.
struct RequestQueue {
    /// One file of a request.
    struct Job: Equatable {
        var handle: UInt32
        var uri: String
        var size: PreviewSize
        /// Whether somebody looks at an empty frame.
        var isForeground: Bool
    }

    private struct Request {
        var uris: [String]
        var size: PreviewSize
        var isForeground: Bool
        /// The first file that nobody has taken yet, and how many are being made.
        var next = 0
        var underWay = 0
    }

    private var requests: [UInt32: Request] = [:]
    /// Those that have files nobody has taken yet. Of the first the last one comes next, of the others the first.
    private var foreground: [UInt32] = [], background: [UInt32] = []
    private var lastHandle: UInt32 = 0

    /// Whether there is nothing to do, and nothing being done.
    var isEmpty: Bool { requests.isEmpty }

    /// Adds a request, which does not begin yet.
    /// - Returns: its handle, never 0.
    mutating func add(_ uris: [String], _ size: PreviewSize, isForeground: Bool) -> UInt32 {
        repeat { lastHandle &+= 1 } while lastHandle == 0 || requests[lastHandle] != nil
        requests[lastHandle] = Request(uris: uris, size: size, isForeground: isForeground)
        return lastHandle
    }

    /// Lets a request begin.
    /// - Returns: whether there is something to do for it; one without files is done at once.
    mutating func begin(_ handle: UInt32) -> Bool {
        guard let request = requests[handle] else { return false }
        guard !request.uris.isEmpty else {
            requests[handle] = nil
            return false
        }
        if request.isForeground { foreground.append(handle) } else { background.append(handle) }
        return true
    }

    /// Takes the next file.
    mutating func next() -> Job? {
        guard let handle = foreground.last ?? background.first, var request = requests[handle] else { return nil }
        let job = Job(
            handle: handle, uri: request.uris[request.next], size: request.size, isForeground: request.isForeground)
        request.next += 1
        request.underWay += 1
        requests[handle] = request
        if request.next == request.uris.count { leave(handle) }
        return job
    }

    /// Notes that a file is made.
    /// - Returns: whether the request is still wanted, and whether this was its last file.
    mutating func ended(_ job: Job) -> (isWanted: Bool, isLast: Bool) {
        guard var request = requests[job.handle] else { return (false, false) }
        request.underWay -= 1
        let isLast = request.underWay == 0 && request.next == request.uris.count
        requests[job.handle] = isLast ? nil : request
        return (true, isLast)
    }

    /// Gives a request up. Files of it that are being made are made, and not told.
    /// - Returns: whether there was one.
    mutating func remove(_ handle: UInt32) -> Bool {
        guard requests.removeValue(forKey: handle) != nil else { return false }
        leave(handle)
        return true
    }

    private mutating func leave(_ handle: UInt32) {
        foreground.removeAll { $0 == handle }
        background.removeAll { $0 == handle }
    }
}

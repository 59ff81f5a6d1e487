import PreviewCache

/// What was asked for and is not made yet. Who looks at a folder goes first, and the last folder before those that were left.
struct RequestQueue {
    /// One file of a request.
    struct Job: Equatable, Sendable {
        /// Its own number, of all jobs.
        var number: UInt64
        var handle: UInt32
        var uri: String
        var size: PreviewSize
        /// Whether somebody looks at an empty frame.
        var isForeground: Bool
    }

    /// A request that is not finished.
    private struct Request {
        var client: String
        var uris: [String]
        var size: PreviewSize
        var isForeground: Bool
        /// The first file that nobody has taken yet, and those that are being made.
        var next = 0
        var underWay: [UInt64: String] = [:]
    }

    private var requests: [UInt32: Request] = [:]
    /// Those that have files nobody has taken yet. Of the first the last one comes next, of the others the first.
    private var foreground: [UInt32] = [], background: [UInt32] = []
    private var lastHandle: UInt32 = 0, lastJob: UInt64 = 0
    private var files = 0

    /// Files, and requests, that wait at most.
    static let mostFiles = 200_000, mostRequests = 10_000

    /// Whether there is nothing to do, and nothing being done.
    var isEmpty: Bool { requests.isEmpty }

    /// Adds a request, which does not begin yet.
    /// - Parameter client: who asks.
    /// - Returns: its handle, never 0; `nil` when there are too many already.
    mutating func add(_ uris: [String], _ size: PreviewSize, isForeground: Bool, client: String) -> UInt32? {
        guard files + uris.count <= Self.mostFiles, requests.count < Self.mostRequests else { return nil }
        repeat { lastHandle &+= 1 } while lastHandle == 0 || requests[lastHandle] != nil
        requests[lastHandle] = Request(client: client, uris: uris, size: size, isForeground: isForeground)
        files += uris.count
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
        lastJob += 1
        let job = Job(
            number: lastJob, handle: handle, uri: request.uris[request.next], size: request.size,
            isForeground: request.isForeground)
        request.next += 1
        request.underWay[job.number] = job.uri
        files -= 1
        requests[handle] = request
        if request.next == request.uris.count { leave(handle) }
        return job
    }

    /// Notes that a file is made.
    /// - Returns: who is to hear of it, and whether it was the last file; `nil` when the request was given up.
    mutating func ended(_ job: Job) -> (client: String, isLast: Bool)? {
        guard var request = requests[job.handle] else { return nil }
        request.underWay[job.number] = nil
        let isLast = request.underWay.isEmpty && request.next == request.uris.count
        requests[job.handle] = isLast ? nil : request
        return (request.client, isLast)
    }

    /// Gives a request up.
    /// - Parameter client: who does; only the own ones can be given up.
    /// - Returns: the jobs that are being done for it; `nil` when there is no such request.
    mutating func remove(_ handle: UInt32, of client: String) -> [UInt64]? {
        guard let request = requests[handle], request.client == client else { return nil }
        requests[handle] = nil
        files -= request.uris.count - request.next
        leave(handle)
        return Array(request.underWay.keys)
    }

    /// Gives all requests up.
    /// - Returns: for each who asked, and the files that are not made.
    mutating func removeAll() -> [(handle: UInt32, client: String, uris: [String])] {
        let all = requests.map { handle, request in
            (handle, request.client, Array(request.underWay.values) + request.uris[request.next...])
        }
        (requests, foreground, background, files) = ([:], [], [], 0)
        return all
    }

    private mutating func leave(_ handle: UInt32) {
        if foreground.last == handle { foreground.removeLast() } else { foreground.removeAll { $0 == handle } }
        background.removeAll { $0 == handle }
    }
}

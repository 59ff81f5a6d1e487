import Dispatch
import Glibc
import Synchronization

/// An entry that is not as it must be.
public struct DamagedEntry: Hashable, Sendable {
    /// Where it lies.
    public var path: String
    /// What is wrong, as a clause.
    public var fault: String
    /// Whether nothing can be done with it. Oddities of other programs' entries are only told.
    public var isUseless: Bool
}

/// What verifying found.
public struct VerificationReport: Sendable {
    /// Entries that were read.
    public var examined = CacheTally()
    /// Entries that are not as they must be.
    public var faults = 0
    /// What is wrong with them, in the walk's order; the first ten thousand.
    public var damaged: [DamagedEntry] = []
    /// What was deleted.
    public var collection = CollectionReport()
}

extension PreviewCache {
    /// Reads every entry completely, and deletes the damaged ones: those whose picture cannot be decoded, whoever made
    /// them, and those of Vitrine's whose keys are missing or belong to another name.
    ///
    /// Uses two threads besides the caller's, which blocks meanwhile; holds 32 bytes for each entry.
    /// - Parameters:
    ///   - isDryRun: deletes nothing. Default: no.
    ///   - onRemoved: called on this thread for each entry that went, or would go.
    public func verify(isDryRun: Bool = false, onRemoved: ((RemovedEntry) -> Void)? = nil) -> VerificationReport {
        let tree = CacheTree(self)
        var report = VerificationReport()
        var records: [EntryRecord] = []
        tree.walk { record, _, _ in
            records.append(record)
            report.examined.add(record)
        }
        let entries = records
        let next = Atomic(0)
        let found = Mutex<[(index: Int, fault: EntryFault)]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            guard let verifier = PictureVerifier() else { return }
            while true {
                let first = next.add(64, ordering: .relaxed).oldValue
                guard first < entries.count else { return }
                for index in first..<min(first + 64, entries.count) {
                    if let fault = EntryFault(of: entries[index], tree, verifier) {
                        found.withLock { $0.append((index, fault)) }
                    }
                }
            }
        }
        var remover = EntryRemover(tree: tree, isDryRun: isDryRun, onRemoved: onRemoved)
        var freed: Int64 = 0
        for (index, fault) in found.withLock({ $0 }).sorted(by: { $0.index < $1.index }) {
            let record = entries[index]
            let name = record.name
            guard let folder = tree.folder(of: record, name: name) else { continue }
            report.faults += 1
            if report.damaged.count < 10_000 {
                report.damaged.append(
                    DamagedEntry(path: path(of: record, name, tree), fault: fault.clause, isUseless: fault.isUseless))
            }
            guard fault.isUseless else { continue }
            let facts = EntryFacts(name, in: folder)
            if remover.remove(record, folder, name, facts, .damaged), facts?.isOurs == true { freed += record.occupied }
        }
        if !isDryRun, freed > 0 { account(-freed) }
        report.collection = remover.report
        report.collection.links = tree.links
        return report
    }

    private func path(of record: EntryRecord, _ name: String, _ tree: CacheTree) -> String {
        switch tree.places[Int(record.place)] {
        case .standard(let size): "\(standard.root)/\(size)/\(name)"
        case .own: "\(own.root)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
        case .failures(let program): "\(standard.root)/fail/\(program)/\(name)"
        }
    }
}

/// What is wrong with an entry.
private struct EntryFault {
    var clause: String
    var isUseless: Bool

    /// - Returns: `nil` when nothing is, or when it is gone.
    init?(of record: EntryRecord, _ tree: CacheTree, _ verifier: PictureVerifier) {
        let name = record.name
        guard let folder = tree.folder(of: record, name: name) else { return nil }
        let descriptor = PNGTextReader.open(name, in: folder.descriptor)
        // One that may not be read is not damaged, as far as anybody knows.
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let tail = name.hasSuffix(".png") ? nil : EntryTail.start(in: descriptor)
        if let tail { lseek(descriptor, off_t(tail), SEEK_SET) }
        let isKeyless = !name.hasSuffix(".png") && tail == nil
        if let fault = isKeyless ? "its keys are missing" : verifier.fault(descriptor) {
            // A disk or a server that fails says nothing about the picture.
            if verifier.couldNotRead { return nil }
            // Replaced or deleted meanwhile is another matter, which the remover looks at. What others made and others
            // can show is theirs.
            let isOurs = tree.places[Int(record.place)] == .own || EntryFacts.isOurs(name, in: folder)
            (clause, isUseless) = (fault, isOurs || !verifier.isDecodable)
            return
        }
        guard let facts = EntryFacts(name, in: folder) else { return nil }
        if let tail, EntryTail.checksum(of: tail, in: descriptor).map(String.init) != facts.checksum {
            (clause, isUseless) = ("its checksum is wrong", true)
            return
        }
        let place = tree.places[Int(record.place)]
        guard let fault = Self.fault(facts, place, name) else { return nil }
        clause = fault
        isUseless = facts.isOurs || place == .own
    }

    private static func fault(_ facts: EntryFacts, _ place: CachePlace, _ name: String) -> String? {
        guard let uri = facts.uri else { return "it does not say which file it shows" }
        guard facts.modified != nil else { return "it does not say of when its file is" }
        var key = CacheKey.standard(uri)
        if place == .own {
            guard let pixels = facts.previewSize else { return "it does not say its size" }
            key = CacheKey.own(uri, pixels: pixels, variant: facts.variant)
        }
        // Which suffix belongs to it stands in the variant, and so in the key.
        return name.prefix(32) == key ? nil : "its name does not belong to its file"
    }
}

import VitrineKit
import XML

/// What answers about uploads hold: fields of the whole, and records of one kind. `ListMultipartUploadsResult`,
/// `ListPartsResult` and `InitiateMultipartUploadResult` of the Amazon S3 API Reference.
struct S3Records {
    private(set) var fields: [String: String] = [:]
    private(set) var records: [[String: String]] = []

    /// Reads an answer.
    /// - Parameters:
    ///   - root: the name of the whole.
    ///   - element: the name of a record.
    /// - Throws: `io` when it is another one.
    init(_ body: [UInt8], root: String, element: String = "", subject: String) throws(PluginError) {
        let reader = XMLReader(subject)
        do throws(PluginError) {
            var open: [String] = []
            var text = ""
            let events = try reader.events(from: body, isLast: false) + reader.events(from: [], isLast: true)
            for event in events {
                switch event {
                case .start(let name, _):
                    open.append(name.local)
                    text = ""
                    guard open[0] == root else { throw PluginError(.corrupt, "\(subject) is something else") }
                    if open.count == 2, name.local == element { records.append([:]) }
                case .text(let part): text = part
                case .end(let name):
                    if open.count == 2, name.local != element { fields[name.local] = text }
                    if open.count == 3, open[1] == element, let last = records.indices.last {
                        records[last][name.local] = text
                    }
                    open.removeLast()
                    text = ""
                }
            }
        } catch {
            throw PluginError(error.code == .corrupt ? .io : error.code, error.message)
        }
    }
}

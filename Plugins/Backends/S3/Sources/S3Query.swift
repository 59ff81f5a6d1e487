internal import VitrineKit

/// Queries as signatures want them.
enum S3Query {
    /// Encodes fields, in the order of their names.
    static func encode(_ fields: [String: [UInt8]]) -> String {
        fields.map { (PercentEncoding.encodeComponent($0.key.utf8), PercentEncoding.encodeComponent($0.value)) }
            .sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

import VitrineKit

/// Values of options that are sizes.
enum ByteText {
    /// A number of bytes as people write it: `500`, `10k`, `10M`, `2GB` in powers of 1,000, `10MiB` in powers of 1,024.
    static func count(_ text: String, _ option: String) throws(PluginError) -> Int64 {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factor = units[text[digits.endIndex...].lowercased()]
        if let number = Int64(digits), let factor {
            let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
            if !overflow { return bytes }
        }
        throw PluginError(
            .invalidArgument,
            "'\(DisplayText.of(text))' is no size for \(option); write a number of bytes, or one such as 10k, 10M, 2G or "
                + "10MiB")
    }

    private static let units: [String: Int64] = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
        "gib": 1 << 30, "tib": 1 << 40,
    ]
}

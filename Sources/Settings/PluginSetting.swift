/// A key of a `[plugin ID]` group of the settings file.
///
/// The table of all keys: what a value may be, in which unit and range. The same ranges hold for the `limits` of a
/// `plugin.json`.
public enum PluginSetting: String, CaseIterable, Hashable, Sendable {
    /// Whether the plugin is used.
    case enabled
    /// Which of several plugins for a type or scheme is asked first: the higher one.
    case priority
    /// Time for one document: processor time, and time in which its worker uses none.
    case seconds
    /// What a worker may map.
    case addressSpace = "address-space"
    /// What a worker may keep in memory while it draws.
    case residentMemory = "resident-memory"
    /// What a worker may keep in memory between two documents.
    case keptMemory = "kept-memory"
    /// Size of a document.
    case input
    /// Megapixels of a decoded picture, before it is scaled.
    case megapixels
    /// Memory for the previews of one document, before they are compressed.
    case output
    /// The last page that may be asked for.
    case pages
    /// What a worker may keep in its private folder, if it has one.
    case privateFolder = "private-folder"
    /// Workers at most; 0 is as many as there are jobs.
    case workers
    /// Documents after which a worker is replaced.
    case documentsPerWorker = "documents-per-worker"

    /// What kind of value a key has.
    public enum Kind: Sendable {
        /// `true` or `false`.
        case flag
        /// A whole number.
        case whole
        /// Seconds, with a fraction.
        case time
        /// Whole MiB.
        case size
    }

    /// What kind of value the key has.
    public var kind: Kind {
        switch self {
        case .enabled: .flag
        case .priority, .megapixels, .pages, .workers, .documentsPerWorker: .whole
        case .seconds: .time
        case .addressSpace, .residentMemory, .keptMemory, .input, .output, .privateFolder: .size
        }
    }

    /// The values that are accepted, in seconds, MiB or as they are; `nil` for a flag.
    public var range: ClosedRange<Double>? {
        switch self {
        case .enabled: nil
        case .priority: -1000...1000
        case .seconds: 0.1...3600
        case .addressSpace, .residentMemory: 64...1_048_576
        case .input: 1...16_777_216
        case .megapixels: 1...1073
        case .output: 1...8192
        case .pages: 1...1_000_000
        case .keptMemory, .privateFolder: 16...1_048_576
        case .workers: 0...1024
        case .documentsPerWorker: 1...1_000_000
        }
    }

    /// The accepted values in words, to follow "write".
    public var wanted: String {
        guard let range else { return "true or false" }
        switch kind {
        case .flag: return "true or false"
        case .whole: return "a whole number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .time:
            let (least, most) = (SettingValue.time(range.lowerBound), SettingValue.time(range.upperBound))
            return "a time from \(least) to \(most), such as 10s"
        case .size:
            let (least, most) = (SettingValue.size(Int(range.lowerBound)), SettingValue.size(Int(range.upperBound)))
            return "a size from \(least) to \(most), such as 512MiB or 2GiB"
        }
    }

    /// Reads a value.
    /// - Returns: `nil` when it is none of those that are accepted.
    func value(_ text: String) -> SettingValue? {
        let value: SettingValue?
        let number: Double
        switch kind {
        case .flag: return SettingText.flag(text).map { .flag($0) }
        case .whole:
            guard let whole = SettingText.whole(text) else { return nil }
            (value, number) = (.whole(whole), Double(whole))
        case .time:
            guard let seconds = SettingText.seconds(text) else { return nil }
            (value, number) = (.time(seconds), seconds)
        case .size:
            guard let mebibytes = SettingText.mebibytes(text) else { return nil }
            (value, number) = (.size(mebibytes), Double(mebibytes))
        }
        return range.map { $0.contains(number) } == true ? value : nil
    }
}

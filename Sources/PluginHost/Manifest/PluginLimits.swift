public import Settings

/// How much one plugin may use: the `limits` object of `plugin.json`. Of a backend only the seconds count.
public struct PluginLimits: Hashable, Sendable {
    /// Seconds for one document, counted while a worker holds it, or for one call of a backend, 0.1 to 3600.
    /// Default 10, of a backend ``secondsOfBackends``.
    public var seconds: Double = 10
    /// MiB that a worker may map, 64 to 1,048,576. Default 2048.
    public var addressSpaceMiB: Int = 2048
    /// MiB that a worker may keep in memory while it draws, 64 to 1,048,576. Default 1024.
    public var residentMemoryMiB: Int = 1024
    /// MiB of its own that a worker may keep in memory between two documents, 16 to 1,048,576; one that keeps more is
    /// replaced. Files that it maps do not count. Default 256.
    public var keptMemoryMiB: Int = 256
    /// MiB that an input may have, 1 to 16,777,216. Default 2048.
    public var inputMiB: Int = 2048
    /// Megapixels that a decoded picture may have before it is scaled, 1 to 1073. Default 256.
    public var megapixels: Int = 256
    /// MiB of memory for the previews of one document, 1 to 8192. Default 2048.
    public var outputMiB: Int = 2048
    /// The last page that may be asked for, counted from 1, 1 to 1,000,000. Default 10,000.
    public var pages: Int = 10_000
    /// MiB that a worker may keep in its private folder, if it has one, 16 to 1,048,576. Default 512.
    public var privateFolderMiB: Int = 512
    /// Documents after which a worker is replaced, 1 to 1,000,000. Default 500.
    public var documentsPerWorker: Int = 500
    /// Workers at most, 0 to 1024; 0 is as many as there are jobs. Default 0.
    public var workers: Int = 0
    /// What the manifest says itself; the rest are defaults, or the user's.
    public private(set) var stated: Set<PluginSetting> = []

    /// Seconds for one call of a backend, if nobody says otherwise: longer than a disk takes to wake up.
    public static let secondsOfBackends = 60.0

    /// The defaults.
    public init() {}
}

extension PluginLimits {
    /// A short text that changes when a limit does that a document can exceed: a failure that was met under one may not
    /// come again under another. The same on every machine and in every version.
    public var fingerprint: String {
        let numbers = [
            addressSpaceMiB, residentMemoryMiB, inputMiB, megapixels, outputMiB, pages, privateFolderMiB,
        ]
        return "\(seconds)s," + numbers.map(String.init).joined(separator: ",")
    }
}

extension PluginLimits {
    enum Field: String, CaseIterable {
        case seconds, addressSpaceMiB, residentMemoryMiB, inputMiB, megapixels, outputMiB, pages, privateFolderMiB
        case keptMemoryMiB, documentsPerWorker, workers
    }

    /// Takes what a manifest states; what is absent stays as it is.
    mutating func take(_ fields: ManifestObject<Field>) throws(ManifestFault) {
        func check<Number: CustomStringConvertible>(
            _ number: Number, _ value: Double, _ field: Field, _ setting: PluginSetting
        ) throws(ManifestFault) -> Number {
            guard let range = setting.range, !range.contains(value) else { return number }
            throw fields.fault(
                field,
                "\(number) is out of range; it may be \(shown(range.lowerBound)) to \(shown(range.upperBound))")
        }
        func shown(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? String(bound) }
        func whole(_ field: Field, _ setting: PluginSetting, default absent: Int) throws(ManifestFault) -> Int {
            let number = try fields.wholeNumber(field, default: absent)
            return try check(number, Double(number), field, setting)
        }
        stated = Set(PluginSetting.allCases.filter { Self.field($0).map(fields.has) ?? false })
        let time = try fields.number(.seconds, default: seconds)
        seconds = try check(time, time, .seconds, .seconds)
        addressSpaceMiB = try whole(.addressSpaceMiB, .addressSpace, default: addressSpaceMiB)
        residentMemoryMiB = try whole(.residentMemoryMiB, .residentMemory, default: residentMemoryMiB)
        keptMemoryMiB = try whole(.keptMemoryMiB, .keptMemory, default: keptMemoryMiB)
        inputMiB = try whole(.inputMiB, .input, default: inputMiB)
        megapixels = try whole(.megapixels, .megapixels, default: megapixels)
        outputMiB = try whole(.outputMiB, .output, default: outputMiB)
        pages = try whole(.pages, .pages, default: pages)
        privateFolderMiB = try whole(.privateFolderMiB, .privateFolder, default: privateFolderMiB)
        documentsPerWorker = try whole(.documentsPerWorker, .documentsPerWorker, default: documentsPerWorker)
        workers = try whole(.workers, .workers, default: workers)
    }
}

extension PluginLimits {
    /// What a key of the settings file is called in a manifest.
    static func field(_ setting: PluginSetting) -> Field? {
        switch setting {
        case .enabled, .priority: nil
        case .seconds: .seconds
        case .addressSpace: .addressSpaceMiB
        case .residentMemory: .residentMemoryMiB
        case .keptMemory: .keptMemoryMiB
        case .input: .inputMiB
        case .megapixels: .megapixels
        case .output: .outputMiB
        case .pages: .pages
        case .privateFolder: .privateFolderMiB
        case .documentsPerWorker: .documentsPerWorker
        case .workers: .workers
        }
    }

    /// Puts what the user set in place of what the manifest says.
    mutating func apply(_ settings: PluginSettings) {
        seconds = settings.seconds ?? seconds
        addressSpaceMiB = settings.number(.addressSpace) ?? addressSpaceMiB
        residentMemoryMiB = settings.number(.residentMemory) ?? residentMemoryMiB
        keptMemoryMiB = settings.number(.keptMemory) ?? keptMemoryMiB
        inputMiB = settings.number(.input) ?? inputMiB
        megapixels = settings.number(.megapixels) ?? megapixels
        outputMiB = settings.number(.output) ?? outputMiB
        pages = settings.number(.pages) ?? pages
        privateFolderMiB = settings.number(.privateFolder) ?? privateFolderMiB
        documentsPerWorker = settings.number(.documentsPerWorker) ?? documentsPerWorker
        workers = settings.number(.workers) ?? workers
    }

    /// The limit of a key of the settings file, in the form of that file; `nil` for what is no limit.
    public subscript(setting: PluginSetting) -> SettingValue? {
        switch setting {
        case .enabled, .priority: nil
        case .seconds: .time(seconds)
        case .addressSpace: .size(addressSpaceMiB)
        case .residentMemory: .size(residentMemoryMiB)
        case .keptMemory: .size(keptMemoryMiB)
        case .input: .size(inputMiB)
        case .megapixels: .whole(megapixels)
        case .output: .size(outputMiB)
        case .pages: .whole(pages)
        case .privateFolder: .size(privateFolderMiB)
        case .documentsPerWorker: .whole(documentsPerWorker)
        case .workers: .whole(workers)
        }
    }
}

import Testing
import VitrineKit
import VitrineTesting

/// The suite passes a good backend, and names the rule that a bad one breaks.
struct BackendConformanceTests {
    @Test func aGoodBackendPasses() async {
        let violations = await BackendConformance { InMemoryBackend($0) }.violations()
        #expect(violations == [])
    }

    @Test func aSourceThatCannotBeMadeReadyIsAViolation() async {
        let suite = BackendConformance(many: 10) { _ in throw PluginError(.offline, "the server is down") }
        let rules = await suite.violations().map(\.rule)
        #expect(rules == ["the source can be made ready"])
    }

    @Test(arguments: Fault.allCases)
    func aBadBackendIsFoundOut(_ fault: Fault) async {
        let suite = BackendConformance(many: 1000) { BrokenBackend(InMemoryBackend($0), fault) }
        let rules = Set(await suite.violations().map(\.rule))
        #expect(rules.contains(fault.rawValue), "only \(rules) were found broken")
    }
}

/// What a backend may do wrong, with the rule that it breaks.
enum Fault: String, CaseIterable, Sendable {
    case losesEntries = "a folder lists exactly its children"
    case repeatsEntries = "each entry is listed once"
    case liesAboutKinds = "an entry has the kind of what is there"
    case liesAboutSizes = "a size is right where it is given"
    case renames = "an entry has the name of its path"
    case readsShort = "a range is read as asked, and fewer bytes come only at the end"
    case mixesRanges = "one open file serves many tasks at once"
    case inventsFiles = "stat of nothing is not found"
    case opensFolders = "a folder is not opened as a file"
    case listsFiles = "a file is not listed as a folder"
    case ignoresCancellation = "a cancelled listing ends as cancelled"
    case changesByItself = "a file that nobody changed is the same"
    case deniesReading = "what can be opened may be read"
    case inheritsDescriptors = "a descriptor is closed on exec"
}

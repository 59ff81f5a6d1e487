import VitrineKit

/// Judges what a library says about itself, in C, before anything else of it is used.
enum PluginHandshake {
    /// Why a library is refused.
    struct Objection {
        /// What was found, as the predicate of a sentence whose subject is the library.
        var found: String
        /// What to do.
        var advice: String
    }

    /// What speaks against a library.
    /// - Parameter info: what `vitrine_plugin_info_v1` returned; may be anything.
    /// - Returns: `nil` when the library fits.
    static func objection(to info: UnsafePointer<vitrine_plugin_info>?) -> Objection? {
        guard let info else {
            return Objection(
                found: "answered nothing to vitrine_plugin_info_v1",
                advice: "let it return vitrine_plugin_info_here()")
        }
        // Field by field: until magic and size are accepted, what follows them need not be there.
        guard info.pointer(to: \.magic)?.pointee == VITRINE_PLUGIN_MAGIC else {
            return Objection(
                found: "does not begin its answer with the magic number of Vitrine",
                advice: "let vitrine_plugin_info_v1 return vitrine_plugin_info_here()")
        }
        let abi = info.pointer(to: \.abi)?.pointee ?? 0
        guard abi == VITRINE_PLUGIN_ABI else {
            return Objection(
                found: "was built for plugin ABI \(abi), and this version of Vitrine has ABI \(VITRINE_PLUGIN_ABI)",
                advice: abi < VITRINE_PLUGIN_ABI
                    ? "build the plugin again against this version's SDK"
                    : "update Vitrine, or build the plugin against this version's SDK")
        }
        let size = info.pointer(to: \.size)?.pointee ?? 0
        let wanted = UInt32(MemoryLayout<vitrine_plugin_info>.size)
        guard size >= wanted else {
            return Objection(
                found: "answered \(size) bytes about itself where ABI \(abi) has \(wanted)",
                advice: "build the plugin again against this version's SDK")
        }
        return nil
    }
}

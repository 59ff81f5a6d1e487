internal import CompoundFiles
internal import PictureDecoding
internal import VitrineKit

/// A program or library of Windows, of 16, 32 or 64 bits: its first icon, as the Explorer shows it.
enum WindowsProgram: ProgramFormat {
    static func begins(_ head: [UInt8]) -> Bool { head.starts(with: "MZ".utf8) }

    static func icon(
        of input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Rendering? {
        guard let resources = try resources(of: input), let group = try resources.first(of: .iconGroup) else {
            return nil
        }
        let icon = WindowsIcon(group)
        guard !icon.pictures.isEmpty else {
            throw PluginError(
                .corrupt, "the program's icon is damaged: there are no pictures in it; fetch the program again")
        }
        var failure: PluginError?
        for picture in icon.pictures(for: box) {
            do throws(PluginError) {
                guard let bytes = try resources.resource(.icon, picture.number) else { continue }
                let bitmap = try WindowsIcon.bitmap(bytes, box: box, decoder)
                guard bitmap.isIcon(for: box) else {
                    failure = failure ?? Bitmap.noIcon
                    continue
                }
                return Rendering(bitmap, facts: try facts(of: resources))
            } catch {
                guard isOfResource(error) else { throw error }
                failure = failure ?? error
            }
        }
        throw failure
            ?? PluginError(
                .corrupt, "the program's icon is damaged: its pictures are not there; fetch the program again")
    }

    /// What the program says of itself; nothing where that is damaged: the icon is still there.
    private static func facts(of resources: any ProgramResources) throws(PluginError) -> Facts {
        do throws(PluginError) {
            return try resources.first(of: .version).map { VersionInformation($0).facts } ?? Facts()
        } catch {
            guard isOfResource(error) else { throw error }
            return Facts()
        }
    }

    /// Whether an error says something of one resource only.
    private static func isOfResource(_ error: PluginError) -> Bool {
        [.corrupt, .limitExceeded, .unsupported].contains(error.code)
    }

    /// The resources that stand behind the program for MS-DOS with which each of these files begins.
    /// - Returns: `nil` when there are none.
    private static func resources(
        of input: any RandomAccessInput
    ) throws(PluginError) -> (any ProgramResources)? {
        // The program for MS-DOS says where the one for Windows begins.
        guard let start = try input.head(0x40).uint32(at: 0x3C) else { return nil }
        let signature = try input.bytes(at: Int64(start), count: 4)
        if signature.elementsEqual("PE\0\0".utf8) { return try PortableResources(input, at: Int64(start)) }
        if signature.starts(with: "NE".utf8) { return try SegmentedResources(input, at: Int64(start)) }
        return nil
    }
}

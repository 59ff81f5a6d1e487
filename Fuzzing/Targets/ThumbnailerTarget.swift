import VitrineKit

@testable import PluginHost

extension FuzzTarget {
    /// A `.thumbnailer` file of another project.
    static let thumbnailer = FuzzTarget(
        name: "thumbnailer", maximumLength: 4096,
        seeds: {
            [
                Array("[Thumbnailer Entry]\nTryExec=sh\nExec=sh -c 'cp %i %o' %s\nMimeType=image/png;a/b\n".utf8),
                Array("[Thumbnailer Entry]\nExec=\"a b\" %u %o %%\nMimeType=x/y\n".utf8),
            ]
        },
        words: [
            "[Thumbnailer Entry]\n", "Exec=", "TryExec=", "MimeType=", "%i", "%u", "%o", "%s", "%%", "%", ";",
            "image/png",
            "\"", "'", "\\", "$(", "\n", "\r\n",
        ],
        check: { bytes in
            let file: ThumbnailerFile?
            do throws(PluginError) { file = try ThumbnailerFile(parsing: bytes, name: "a") } catch {
                return try error.mustBe(.invalidArgument)
            }
            guard let file else { return }
            try hold(1...64 ~= file.command.count, "a command of \(file.command.count) words was accepted")
            try hold(file.command.contains { $0.contains("%o") }, "the output is named nowhere")
            try hold(file.command.allSatisfy { !$0.utf8.contains(0) }, "a word has a zero in it")
            try hold(1...512 ~= file.types.count, "\(file.types.count) types were accepted")
            try hold(Set(file.types).count == file.types.count, "a type stands there twice")
            for type in file.types { try type.mustBeShowable("a type") }
        })
}

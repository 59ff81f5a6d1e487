// The engine in a program of one's own: makes the previews of a folder, tells of each, and shows the largest file's.
// docs/embedding.md says what it needs besides.
import Glibc
import Vitrine
import VitrineKit

guard CommandLine.arguments.count == 2, let here = getcwd(nil, 0) else {
    print("usage: vitrine-example FOLDER")
    exit(2)
}
defer { free(here) }

do {
    // The user's own cache and settings; plugins and worker program lie beside this program.
    let pipeline = try PreviewPipeline(.standard())
    let folder = try pipeline.source(
        Array(CommandLine.arguments[1].utf8), workingFolder: Array(String(cString: here).utf8))

    // Listeners hear of all that begins after they asked. A slow one holds nobody up.
    let events = pipeline.progress(of: .source(folder.text))
    let listener = Task { () -> String? in
        var largest: (bytes: Int64, uri: String)?
        for await event in events {
            switch event {
            case .item(let report):
                switch report.outcome {
                case .made(let previews): print("made", DisplayText.of(report.uri), previews.map(\.path))
                case .valid: print("valid", DisplayText.of(report.uri))
                case .failed(let error, _):
                    print("failed", DisplayText.of(report.uri), "for", error.message)
                    continue
                case .planned, .skipped: continue
                }
                if let bytes = report.bytes, bytes > largest?.bytes ?? -1 { largest = (bytes, report.uri) }
            case .finished: return largest?.uri
            default: continue
            }
        }
        return largest?.uri
    }
    let summary = await pipeline.prebuild([folder])
    print("\(summary.total.made) made, \(summary.total.valid) valid, \(summary.total.failed) failed")

    // One picture, before all that waits: what somebody looks at now.
    var failure: PluginError?
    if let largest = await listener.value {
        do throws(PluginError) {
            let preview = try await pipeline.preview(of: largest, size: .xLarge)
            print("largest", preview.path)
        } catch { failure = error }
    }
    // Ends the workers, whatever happened. Those of a program that is killed end with it.
    await pipeline.end()
    if let failure { throw failure }
} catch {
    print("vitrine-example: \(error)")
    leave(1)
}
leave(0)

/// Ends the program while connections to servers may still be closing on other threads, which `exit` would not bear.
func leave(_ code: CInt) -> Never {
    fflush(nil)
    _exit(code)
}

import Vitrine

/// The README's example, word for word; `ReadmeTests` compares the two.
func readmeExample() async throws {
    let pipeline = try PreviewPipeline(.standard())
    let events = pipeline.progress(of: .folder("file:///home/a/Documents"))
    let progress = Task {
        for await event in events {
            if case .item(let report) = event { print(report.uri, report.outcome) }
        }
    }
    let preview = try await pipeline.preview(of: "/home/a/Documents/report.pdf", size: .large)
    print(preview.path)
    await pipeline.end()
    progress.cancel()
}

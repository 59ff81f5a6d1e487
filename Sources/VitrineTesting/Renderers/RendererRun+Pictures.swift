internal import VitrineKit

/// Rules for good samples.
extension RendererRun {
    /// The sample at the largest size asked for, to which the others are compared.
    mutating func original(of sample: RendererSample) -> Picture? {
        switch draw(sample.bytes, request(sample, box: Self.referenceBox)) {
        case .success(let picture): return picture
        case .failure(let error):
            violated("draws", "'\(sample.name)' was not drawn: \(error)")
            return nil
        }
    }

    mutating func checkSizes(_ sample: RendererSample, _ original: Picture) {
        checkSize(sample, original, box: Self.referenceBox, original)
        for box in Self.boxes {
            switch draw(sample.bytes, request(sample, box: box)) {
            case .success(let picture): checkSize(sample, picture, box: box, original)
            case .failure(let error):
                violated("draws", "'\(sample.name)' was drawn at \(Self.referenceBox) but not at \(box): \(error)")
            }
        }
    }

    private mutating func checkSize(_ sample: RendererSample, _ picture: Picture, box: Int, _ original: Picture) {
        let seen = "'\(sample.name)' in a box of \(box) is \(picture.size.width) × \(picture.size.height)"
        let longest = max(picture.size.width, picture.size.height)
        if suite.scales, longest > box { violated("fits", seen) }
        // What the worker makes of it, and what it would make of the largest.
        guard let shown = fitting(picture.size, box), let expected = fitting(original.size, box) else { return }
        if suite.enlarges, longest < box { violated("large enough", "\(seen), smaller than asked for") }
        if !suite.enlarges, max(shown.width, shown.height) < max(expected.width, expected.height) {
            violated("large enough", "\(seen), though the original has the pixels for more")
        }
        if !suite.enlarges, let facts = picture.facts.size,
            picture.size.width > facts.width || picture.size.height > facts.height
        {
            violated("enlarging", "\(seen), larger than the original of \(facts.width) × \(facts.height)")
        }
        if abs(shown.width - expected.width) > 1 || abs(shown.height - expected.height) > 1 {
            violated("shape", "\(seen), which should be \(expected.width) × \(expected.height)")
        }
    }

    private func fitting(_ size: PixelSize, _ box: Int) -> PixelSize? {
        PixelSize.fitting(width: Double(size.width), height: Double(size.height), in: box, enlarging: suite.enlarges)
    }

    mutating func checkRepetition(_ sample: RendererSample) {
        let first = draw(sample.bytes, request(sample))
        if draw(sample.bytes, request(sample)) != first {
            violated("same twice", "'\(sample.name)' drawn twice gave two different results")
        }
        if draw(BytesInput(sample.bytes), request(sample)) != first {
            violated(
                "same without descriptor", "'\(sample.name)' read by ranges is not the same as read from a descriptor")
        }
    }

    /// What is drawn for a small size beside a larger one is what is drawn for it alone.
    mutating func checkSmaller(_ sample: RendererSample) {
        guard let input = try? folder.input(sample.bytes),
            let large = try? renderer.render(input, request(sample, box: Self.referenceBox)),
            let drawSmaller = large.drawSmaller
        else { return }
        for box in Self.boxes {
            var beside = large
            do throws(PluginError) { beside.bitmap = try drawSmaller(box) } catch {
                violated("same alone", "'\(sample.name)' was not drawn at \(box) beside \(Self.referenceBox): \(error)")
                continue
            }
            if .success(Picture(beside)) != draw(sample.bytes, request(sample, box: box)) {
                violated(
                    "same alone",
                    "'\(sample.name)' at \(box) is not the same alone as beside a size of \(Self.referenceBox)")
            }
        }
    }

    mutating func checkFacts(_ sample: RendererSample, _ picture: Picture) {
        let facts = picture.facts
        if let pages = facts.pages, pages < 1 { violated("facts", "'\(sample.name)' has \(pages) pages") }
        if let size = facts.size, size.width < 1 || size.height < 1 {
            violated("facts", "'\(sample.name)' has an original of \(size.width) × \(size.height) pixels")
        }
        if let duration = facts.duration, !duration.isFinite || duration < 0 {
            violated("facts", "'\(sample.name)' lasts \(duration) seconds")
        }
        if let title = facts.title, title.isEmpty || title.unicodeScalars.contains(where: { $0.value == 0 }) {
            violated("facts", "'\(sample.name)' has an empty title or one with a NUL in it")
        }
        if let text = facts.text, text.isEmpty || text.utf8.count > Facts.textLimit {
            violated(
                "facts", "'\(sample.name)' has \(text.utf8.count) bytes of text; 1 to \(Facts.textLimit) are allowed")
        }
        if let pages = sample.pages, facts.pages != pages {
            violated(
                "facts",
                "'\(sample.name)' has \(pages) pages, not \(facts.pages.map { "\($0)" } ?? "an unknown number")")
        }
    }

    mutating func checkPages(_ sample: RendererSample) {
        let outside = [sample.pages ?? 1, Int(Int32.max), Int.max, -1, Int.min]
        for page in outside {
            switch draw(sample.bytes, request(sample, page: page)) {
            case .success:
                violated("page out of range", "'\(sample.name)' has a picture of page \(page), counted from 0")
            case .failure(let error):
                judge(
                    error, "page out of range", "page \(page) of '\(sample.name)'",
                    allowed: Self.itemCodes.union([.invalidArgument]))
            }
        }
        for page in 0..<min(sample.pages ?? 0, 10) {
            if case .failure(let error) = draw(sample.bytes, request(sample, page: page)) {
                violated("pages", "page \(page) of '\(sample.name)' was not drawn: \(error)")
            }
        }
        for time in [0, -1, 1e12, .infinity, -.infinity, .nan] {
            if case .failure(let error) = draw(sample.bytes, request(sample, time: time)) {
                judge(
                    error, "moment", "second \(time) of '\(sample.name)'",
                    allowed: Self.itemCodes.union([.invalidArgument]))
            }
        }
    }
}

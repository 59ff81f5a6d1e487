internal import VitrineKit

/// Rules for samples that are broken, locked or out of reach.
extension RendererRun {
    mutating func checkDamage(_ sample: RendererSample) {
        for (what, bytes) in damaged(sample.bytes) {
            let what = "'\(sample.name)' \(what)"
            switch draw(bytes, request(sample)) {
            case .success(let picture):
                if bytes.isEmpty { violated("empty input", "\(what) was drawn") }
                checkFacts(RendererSample(what, mimeType: sample.mimeType, bytes: bytes), picture)
            case .failure(let error):
                if bytes.isEmpty {
                    judge(error, "empty input", what, allowed: [.empty])
                } else {
                    judge(error, "damaged input", what, allowed: Self.itemCodes)
                }
            }
        }
    }

    /// Versions of a file that a disk, a network or an attacker could have left, the same in every run.
    private func damaged(_ bytes: [UInt8]) -> [(what: String, bytes: [UInt8])] {
        var random = SeededNumbers(seed: UInt64(bytes.count))
        var versions: [(what: String, bytes: [UInt8])] = [("without a byte", [])]
        let lengths = [1, 4, 16, 64, 200, bytes.count / 4, bytes.count / 2, bytes.count * 9 / 10, bytes.count - 1]
        for length in Set(lengths).sorted() where 1..<bytes.count ~= length {
            versions.append(("cut after \(length) bytes", Array(bytes[..<length])))
        }
        for head in [8, 16, 64, 256] where head < bytes.count {
            versions.append(("random after \(head) bytes", bytes[..<head] + random.bytes(2048)))
            versions.append(("zero after \(head) bytes", bytes[..<head] + [UInt8](repeating: 0, count: 2048)))
        }
        versions.append(("replaced by random bytes", random.bytes(4096)))
        for share in [2000, 200, 20] {
            var flipped = bytes
            for _ in 0...bytes.count / share {
                flipped[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            versions.append(("with one byte in \(share) changed", flipped))
        }
        return versions
    }

    mutating func checkUnreachable(_ sample: RendererSample) {
        switch draw(UnreachableInput(size: Int64(sample.bytes.count)), request(sample)) {
        case .success: violated("unreachable input", "'\(sample.name)' was drawn though no byte could be read")
        case .failure(let error):
            if error != UnreachableInput.failure {
                violated(
                    "unreachable input",
                    "the input's own error must be passed on, so that the item is tried again; seen: \(error)")
            }
        }
    }

    mutating func checkEncrypted(_ sample: RendererSample) {
        switch draw(sample.bytes, request(sample)) {
        case .success: violated("encrypted", "'\(sample.name)' was drawn without its password")
        case .failure(let error): judge(error, "encrypted", "'\(sample.name)'", allowed: [.encrypted, .locked])
        }
    }

    /// After all the damage, a good file is drawn as before.
    mutating func checkRecovery(_ sample: RendererSample, _ original: Picture) {
        if draw(sample.bytes, request(sample, box: Self.referenceBox)) != .success(original) {
            violated("recovers", "'\(sample.name)' is drawn differently after damaged files")
        }
    }

    mutating func checkLeftovers() {
        for name in folder.unexpectedFiles() {
            violated("leaves nothing", "'\(name)' appeared beside the file that was drawn")
        }
        let open = folder.openDescriptors()
        if open > 0 { violated("leaves nothing", "\(open) descriptors of files that were drawn are still open") }
    }
}

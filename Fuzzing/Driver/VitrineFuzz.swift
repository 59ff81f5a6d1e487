import Foundation

// `vitrine-fuzz TARGET [OPTION OF LIBFUZZER …]`. The loop is libFuzzer's. It links a `main` of its own, in whose place
// SwiftPM puts the function that is named after this module; see docs of libFuzzer, "Using libFuzzer as a library".

private let target: FuzzTarget = {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    if name == "--targets" {
        print(names)
        exit(0)
    }
    if let target = FuzzTarget.named(name) { return target }
    stop("usage: vitrine-fuzz TARGET [OPTION OF LIBFUZZER …] | --targets\ntargets: \(names)")
}()

private func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
}

/// Feeds one input to the target. libFuzzer sees a trap as a crash and keeps the input.
@c(LLVMFuzzerTestOneInput)
public func oneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do { try target.check(Array(UnsafeBufferPointer(start: bytes, count: count))) } catch {
        FileHandle.standardError.write(Data("broken rule: \(error)\n".utf8))
        abort()
    }
    return 0
}

@_extern(c, "LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ oneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The program: writes what the target begins with where libFuzzer keeps what it finds, and starts it.
@c(VitrineFuzz_main)
public func program(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>?) -> CInt {
    do {
        let work = FuzzTarget.checkout.appending(path: ".build/fuzz-corpus/\(target.name)")
        let findings = FuzzTarget.checkout.appending(path: ".build/fuzz-findings/\(target.name)")
        for folder in [work, findings] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for (number, bytes) in try target.beginnings().enumerated() {
            try Data(bytes).write(to: work.appending(path: "beginning-\(number)"))
        }
        let dictionary = work.deletingLastPathComponent().appending(path: "\(target.name).dict")
        let lines = target.words.map { word in
            "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
        }
        try Data(lines.joined().utf8).write(to: dictionary)
        var options = [
            "vitrine-fuzz", "-max_len=\(target.maximumLength)", "-artifact_prefix=\(findings.path)/", "-timeout=20",
            "-rss_limit_mb=2048", "-print_final_stats=1",
        ]
        // It refuses an empty one.
        if !lines.isEmpty { options.append("-dict=\(dictionary.path)") }
        let given = CommandLine.arguments.dropFirst(2)
        // Named inputs are tried once each, and nothing else is.
        let inputs = given.contains { !$0.hasPrefix("-") } ? [] : [work.path]
        var words = (options + given + inputs).map { strdup($0) } + [nil]
        var length = CInt(words.count - 1)
        return words.withUnsafeMutableBufferPointer { buffer in
            guard var start = buffer.baseAddress else { return 2 }
            return runDriver(&length, &start, oneInput)
        }
    } catch { stop("vitrine-fuzz: \(error)") }
}

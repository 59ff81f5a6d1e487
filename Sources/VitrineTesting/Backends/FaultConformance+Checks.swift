import Synchronization
import VitrineKit

extension FaultConformance.Run {
    /// Each failure has its code, whatever was asked, and takes no longer than it must.
    func kinds() async throws -> [Violation] {
        var findings = Findings()
        let kinds: [(Fault, PluginError.Code)] = [
            (.answer(status: 401, headers: []), .unauthorized), (.answer(status: 403, headers: []), .forbidden),
            (.answer(status: 404, headers: []), .notFound), (.throttle(429, retryAfter: 3600), .throttled),
            (.throttle(503, retryAfter: 3600), .throttled),
        ]
        for (fault, code) in kinds {
            let (backend, file) = try await connected()
            proxy.set { _ in fault }
            let rule = "a failure of the server has its code (\(code.rawValue))"
            await findings.fails(code, rule) { () throws(PluginError) in try await entries(backend, "nested") }
            await findings.fails(code, rule) { () throws(PluginError) in try await file.read(at: 0, count: 10) }
            await findings.fails(code, rule) { () throws(PluginError) in
                try await backend.stat(try ItemPath("data.bin"))
            }
        }
        let (backend, _) = try await connected()
        proxy.set { _ in .reset }
        var codes: Set<PluginError.Code> = []
        for _ in 0..<4 {
            do throws(PluginError) { _ = try await entries(backend, "nested") } catch { codes.insert(error.code) }
        }
        findings.expect(
            codes.isSubset(of: [.io, .offline]) && codes.contains(.offline),
            "a server that is gone is offline after some tries", "the codes were \(codes.map(\.rawValue))")
        return findings.violations
    }

    /// What passes is not noticed: all items come, each once, with the right bytes.
    func passing() async throws -> [Violation] {
        var findings = Findings()
        let faults: [Fault] = [.reset, .truncate(after: 50), .answer(status: 502, headers: []), .stall(after: 50)]
        for fault in faults {
            let (backend, file) = try await connected()
            // The first and then every twentieth: each try again has to be earned. What stalls takes its time each time.
            let most = if case .stall = fault { 60 } else { Int.max }
            let count = Mutex(0)
            proxy.set { _ in
                count.withLock { count in
                    count += 1
                    return count % 20 == 1 && count < most ? fault : nil
                }
            }
            let rule = "what fails in passing is tried again"
            let many = await findings.succeeds(rule) { () throws(PluginError) in try await entries(backend, "many") }
            let names = Set(many?.map(\.name) ?? [])
            findings.expect(
                names.count == 200 && many?.count == 200, rule, "\(names.count) of 200 came after \(fault)")
            for offset in stride(from: 0, to: 300_000, by: 10_000) {
                let read = await findings.succeeds(rule) { () throws(PluginError) in
                    try await file.read(at: Int64(offset), count: 500)
                }
                findings.expect(
                    read.map { $0.elementsEqual(BackendSample.data[offset..<(offset + 500)]) } ?? true, rule,
                    "other bytes came after \(fault)")
            }
        }
        return findings.violations
    }

    /// What no honest server does is refused with a reason.
    func hostile() async throws -> [Violation] {
        var findings = Findings()
        let faults: [Fault] = [
            .endlessHead, .redirect(to: "http://example.com/"), .redirect(to: "file:///etc/passwd"),
            .redirect(to: "//user:secret@127.0.0.1/"),
        ]
        for fault in faults {
            let (backend, file) = try await connected()
            proxy.set { _ in fault }
            let rule = "what no honest server does is refused (\(fault))"
            await findings.fails(.io, rule) { () throws(PluginError) in try await entries(backend, "nested") }
            await findings.fails(.io, rule) { () throws(PluginError) in try await file.read(at: 0, count: 10) }
        }
        return findings.violations
    }

    /// A range of another version is not taken for one of this.
    func changed() async throws -> [Violation] {
        var findings = Findings()
        let (_, file) = try await connected()
        proxy.set { $0.method == "GET" ? .replace(headers: ["ETag: \"another\""]) : nil }
        await findings.fails(.changed, "a range of another version is refused") { () throws(PluginError) in
            try await file.read(at: 5, count: 10)
        }
        let (backend, whole) = try await connected()
        let listed = try await backend.open(try ItemPath("data.bin"), listedAs: whole.entry)
        let read = await findings.succeeds("a file opens as it was listed") { () throws(PluginError) in
            try await listed.read(at: 100, count: 10)
        }
        findings.expect(
            read.map { $0.elementsEqual(BackendSample.data[100..<110]) } ?? true, "a file opens as it was listed",
            "other bytes came")
        var other = whole.entry
        other.etag = "another"
        let before = other
        await findings.fails(.changed, "a file that is not what was listed is refused") { () throws(PluginError) in
            try await backend.open(try ItemPath("data.bin"), listedAs: before).read(at: 5, count: 10)
        }
        return findings.violations
    }

    /// Who is cancelled does not wait for a server.
    func cancelled() async throws -> [Violation] {
        var findings = Findings()
        let (_, file) = try await connected(FaultConformance.patientSettings)
        await findings.cancelsReading(of: file) { asked in
            proxy.set { request in
                guard request.method == "GET" else { return nil }
                asked()
                return .delay(.seconds(3600))
            }
        }
        return findings.violations
    }
}

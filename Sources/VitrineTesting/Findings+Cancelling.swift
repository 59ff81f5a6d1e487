import VitrineKit

extension Findings {
    private enum Event {
        case asked
        case ended(PluginError.Code?)
        case late
    }

    /// Notes a violation unless who is cancelled while a server is asked does not wait for its answer.
    /// - Parameters:
    ///   - file: of a backend that would wait for an hour: ``FaultConformance/patientSettings``.
    ///   - silence: makes the server silent, and has it call what it is handed when it is asked: the reading is cancelled
    ///     then, not before.
    mutating func cancelsReading(of file: any ByteSource, silence: (_ asked: @escaping @Sendable () -> Void) -> Void)
        async
    {
        let (events, told) = AsyncStream<Event>.makeStream()
        silence { told.yield(.asked) }
        let reading = Task {
            do throws(PluginError) {
                _ = try await file.read(at: 0, count: 10)
                told.yield(.ended(nil))
            } catch { told.yield(.ended(error.code)) }
        }
        // Minutes: they only tell one that waits from a busy machine.
        let clock = Task {
            try await Task.sleep(for: .seconds(300))
            told.yield(.late)
        }
        defer {
            reading.cancel()
            clock.cancel()
        }
        let rule = "who is cancelled does not wait for a server"
        var wasAsked = false
        for await event in events {
            switch event {
            case .asked:
                wasAsked = true
                reading.cancel()
            case .ended(let code):
                expect(wasAsked, rule, "the server was not asked: it cannot be told")
                expect(code == .cancelled, rule, "it ended as \(code?.rawValue ?? "read")")
                return
            case .late:
                expect(false, rule, wasAsked ? "it went on waiting" : "the server was not asked within five minutes")
                return
            }
        }
    }
}

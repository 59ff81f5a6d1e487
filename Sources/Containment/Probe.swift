import CPlatform
import Glibc

/// A harmless attempt at something that a layer forbids.
///
/// Made twice, before the layer and after: only what did not already fail in the same way proves anything. The
/// arguments are such that the kernel does nothing, or undoes at once what it did.
struct Probe {
    /// For people: what went through.
    let name: String
    /// The errno by which the layer is known.
    let refusal: CInt
    /// Makes the attempt.
    /// - Returns: 0 or the errno.
    let attempt: () -> CInt

    init(_ name: String, refusal: CInt, _ attempt: @escaping () -> CInt) {
        self.name = name
        self.refusal = refusal
        self.attempt = attempt
    }

    /// An attempt by a raw system call.
    init(call: String, refusal: CInt, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0, _ e: Int = 0) {
        let number = vp_call_number(call)
        self.init(call, refusal: refusal) {
            number < 0 ? refusal : errnoOf(vp_call(number, a, b, c, d, e))
        }
    }
}

extension [Probe] {
    /// Puts a layer up between two rounds of attempts.
    /// - Parameter layer: puts it up; returns `nil` or why it could not be.
    /// - Returns: active; absent when `layer` failed; broken when something went through that had not failed in
    ///   this way before.
    func around(_ layer: () -> String?) -> LayerReport.State {
        let telling = filter { $0.attempt() != $0.refusal }
        if let reason = layer() { return .absent(reason) }
        let through = telling.filter { $0.attempt() != $0.refusal }
        return through.isEmpty
            ? .active : .broken("possible in spite of it: " + through.map(\.name).joined(separator: ", "))
    }
}

/// The errno of a C function of CPlatform, 0 for success.
func errnoOf(_ answer: some SignedInteger) -> CInt { answer < 0 ? CInt(-answer) : 0 }

/// An errno in words.
func phrase(_ errno: CInt) -> String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }

/// `nil` for success, else why a step failed.
func failure(_ answer: CInt) -> String? { answer < 0 ? phrase(-answer) : nil }

import Glibc

/// Words of a command line, and lines of an environment, as the calls that start programs take them.
package enum ProgramWords {
    /// Lends copies of texts to a call, as an array that ends with NULL.
    /// - Parameter body: gets the array, which is valid during the call.
    package static func lend<R>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("the array ends with nil") }
            return body(UnsafePointer(start))
        }
    }
}

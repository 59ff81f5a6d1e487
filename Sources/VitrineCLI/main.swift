import Glibc

// Arguments are bytes: a file's name need not be UTF-8, and Swift's own list of arguments repairs what is not.
let arguments = CommandLine.unsafeArgv.advanced(by: 1)
var words: [[UInt8]] = []
for index in 0..<(Int(CommandLine.argc) - 1) {
    if let word = arguments[index] {
        words.append(Array(UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }))
    }
}
exit(await CommandLineTool.run(words))

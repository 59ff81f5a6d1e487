import CPlatform
import Glibc

// Before anything is opened: no file may become a standard stream that was closed.
vp_open_standard_streams()
// Arguments are bytes: a file's name need not be UTF-8, and Swift's own list of arguments repairs what is not.
var words: [[UInt8]] = []
// Swift finds none at all, not even the program's name, when a preloaded library has changed the environment.
for index in 1..<max(1, Int(CommandLine.argc)) {
    if let word = CommandLine.unsafeArgv[index] {
        words.append(Array(UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }))
    }
}
// Previews of one file after the other pass through.
vp_keep_memory(4 << 20)
// Connections may still be closing on other threads.
vp_leave(await CommandLineTool.run(words))

import CPlatform
import Glibc

// Before anything is opened: no file may become a standard stream that was closed.
vp_open_standard_streams()
let words = ProgramWords.all
// Previews of one file after the other pass through.
vp_keep_memory(4 << 20)
// Connections may still be closing on other threads.
vp_leave(await CommandLineTool.run(words))

import CPlatform

// A worker holds one renderer and nothing else. It is started by the host with a socket as descriptor 3, and ends
// when the host does. Threads of a renderer's libraries may be there until then.
vp_keep_memory(4 << 20)
vp_leave(Worker(socket: 3).run())

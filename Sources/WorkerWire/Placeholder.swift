// WorkerWire

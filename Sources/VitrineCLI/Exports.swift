// Every command declares options and reads arguments.
@_exported import Arguments

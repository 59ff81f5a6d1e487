import CPoppler
let version: String = String(cString: poppler_get_version())

package import VitrineKit

extension Place {
    /// Reads a place as telephones write it into films (ISO 6709, annex H): `+48.8577+002.2950+035.000/`, in degrees and metres.
    /// - Returns: `nil` for anything else, such as minutes of arc.
    package init?(ofFilm text: String) {
        let number = /([+-]\d{2}(?:\.\d+)?)([+-]\d{3}(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?(?:CRS.*)?\/?/
        guard let match = text.wholeMatch(of: number), let latitude = Double(match.1), let longitude = Double(match.2)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, altitude: match.3.flatMap { Double($0) })
    }
}

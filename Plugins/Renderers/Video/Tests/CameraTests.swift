import AVMedia
import MediaSamples
import Testing
import VideoRenderer
import VitrineKit
import VitrineTesting

/// What telephones and cameras write into their films.
@Suite struct CameraTests {
    let samples = try? MediaSamples()

    private func facts(_ path: String, wantsPlace: Bool) throws -> Facts {
        var request = RenderRequest(box: 64, mimeType: "video/quicktime")
        request.wantsPlace = wantsPlace
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        return try renderer.render(FileInput(path: path), request).facts
    }

    @Test("Apple's names: the camera is told, the place when it is asked for")
    func apple() throws {
        let film = try #require(samples).video(
            "a.mov", "testsrc=s=64x48", "-movflags", "use_metadata_tags", "-metadata",
            "com.apple.quicktime.make=Apple", "-metadata", "com.apple.quicktime.model=iPhone 12", "-metadata",
            "com.apple.quicktime.location.ISO6709=+48.8577+002.2950+035.000/")
        let told = try facts(film, wantsPlace: true)
        #expect(told.text(.camera) == "Apple iPhone 12")
        #expect(told.place == Place(latitude: 48.8577, longitude: 2.295, altitude: 35))
        #expect(try facts(film, wantsPlace: false).place == nil)
    }

    @Test("The names of others, where the model has the maker in it")
    func others() throws {
        let film = try #require(samples).video(
            "b.mov", "testsrc=s=64x48", "-metadata", "make=Canon", "-metadata", "model=Canon EOS R", "-metadata",
            "location=-33.8568-151.2153/")
        let told = try facts(film, wantsPlace: true)
        #expect(told.text(.camera) == "Canon EOS R")
        #expect(told.place == Place(latitude: -33.8568, longitude: -151.2153))
    }

    @Test(
        "Texts that are no place, or none on Earth, are none",
        arguments: ["", "Paris", "+48.8577", "+4851.46+00217.70/", "+99.0+002.0/", "+48.8577+002.2950 and more"])
    func noPlace(text: String) {
        #expect(Place(ofFilm: text) == nil)
    }

    @Test("The system of coordinates may stand behind it")
    func system() {
        #expect(Place(ofFilm: "+35.6586+139.7454CRSWGS_84/") == Place(latitude: 35.6586, longitude: 139.7454))
    }
}

import VitrineKit
import WorkerWire

extension RenderRequest {
    /// What the renderer is asked for: the largest of the sizes, of which the others are made.
    init(_ wish: RenderWish, _ password: Password?) {
        self.init(box: wish.boxes.max() ?? 0, mimeType: wish.mimeType, page: wish.page ?? 0, time: wish.time)
        asksPage = wish.page != nil
        wantsText = wish.wantsText
        wantsPageText = wish.wantsPageText
        wantsPlace = wish.wantsPlace
        embedded = wish.embedded
        self.password = password
    }
}

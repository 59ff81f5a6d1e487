public import Finishing
public import VitrineKit

/// Which picture of an item a preview shows, and what was made of it. Anything but ``standard`` is kept in Vitrine's own layout, for the
/// thumbnail standard knows one picture of a file.
public struct Variant: Hashable, Sendable {
    /// The page, sheet or slide that somebody asked for, counted from 0; `nil` for the one that stands for the item, which is
    /// another than the first where that is hidden or empty.
    public let askedPage: Int?
    /// The moment in milliseconds from the start; `nil` for the renderer's own choice.
    public let milliseconds: Int64?
    /// What is made of it. Default: nothing, it is a PNG as it was rendered.
    public var finish = Finish.plain

    /// The page, sheet or slide, counted from 0; 0 also where nobody asked for one.
    public var page: Int { askedPage ?? 0 }

    /// The page as people count, from 1: for sentences.
    public var pageNumber: Int { page == .max ? page : page + 1 }

    /// Whether it is the picture that stands for the item, whatever was made of it.
    public var isFirst: Bool { askedPage == nil && milliseconds == nil }

    /// The page or the moment that the renderer chooses.
    public static let standard = Variant(askedPage: nil, milliseconds: nil)

    /// Takes a page and a moment.
    /// - Parameters:
    ///   - page: counted from 0; `nil` for the one that stands for the item.
    ///   - time: seconds from the start, rounded to milliseconds; `nil` for the renderer's own choice.
    /// - Throws: `invalidArgument` when the page is negative, or the time is negative, not a number or beyond
    ///   ten million seconds.
    public init(page: Int? = nil, time: Double? = nil) throws(PluginError) {
        if let page, page < 0 {
            throw PluginError(.invalidArgument, "there is no page \(page + 1): the first is page 1")
        }
        if let time {
            guard time >= 0, time <= 10_000_000 else {
                throw PluginError(.invalidArgument, "\(time) seconds is no moment: write 0 to 10000000")
            }
            self.init(askedPage: page, milliseconds: Int64((time * 1000).rounded()))
        } else {
            self.init(askedPage: page, milliseconds: nil)
        }
    }

    private init(askedPage: Int?, milliseconds: Int64?) {
        self.askedPage = askedPage
        self.milliseconds = milliseconds
    }
}

extension Variant: CustomStringConvertible {
    /// The form that keys are made of: empty for ``standard``, else `page=N`, `ms=N` and the words of the finish, with
    /// commas between.
    public var description: String {
        let page = askedPage.map { "page=\($0)" }
        let moment = milliseconds.map { "ms=\($0)" }
        let finish = finish.isPlain ? nil : finish.description
        return [page, moment, finish].compactMap(\.self).joined(separator: ",")
    }
}

import VitrineKit

@testable import SheetRenderer

extension FuzzTarget {
    /// A contact sheet, with names and pictures of strangers in it.
    static let sheet = FuzzTarget(
        name: "sheet", maximumLength: 1 << 13,
        seeds: {
            [
                "vitrine-sheet 1\ntitle\ta\nnote\tb\nfolder\tc\td\nkind\te\nfile\tf\tg\t3\nfailure\th\ti\tj\nend\tk\n\npng"
            ].map { Array($0.utf8) }
        },
        words: ["file\ta\tb\t0\n", "failure\ta\tb\tc\n", "folder\ta\tb\n", "\t", "\n\n", "99999999999999999999", "-1"],
        check: { bytes in
            let description = bytes.withUnsafeBytes { raw in
                Result { () throws(PluginError) in try SheetDescription(raw) }
            }
            guard case .success(let sheet) = description else {
                if case .failure(let error) = description { try error.mustBe(.corrupt) }
                return
            }
            var pictures = 0
            var files = 0
            for part in sheet.parts {
                switch part {
                case .file(_, _, let picture):
                    try hold(0...bytes.count ~= picture.lowerBound && picture.upperBound <= bytes.count, "out of reach")
                    (files, pictures) = (files + 1, pictures + picture.count)
                case .failure: files += 1
                default: break
                }
            }
            try hold(pictures <= bytes.count, "pictures share bytes")
            for longest in [600, 12_000] {
                let plan = SheetPlan(sheet, longest: longest)
                try hold(
                    plan.shown <= files && plan.places.count <= sheet.parts.count + 1, "more is shown than there is")
                try hold(plan.width.isFinite && plan.height.isFinite && plan.box > 0, "the sheet has no size")
                try hold(
                    zip(plan.places, plan.places.dropFirst()).allSatisfy { $0.y <= $1.y }, "what follows lies above")
            }
        })
}

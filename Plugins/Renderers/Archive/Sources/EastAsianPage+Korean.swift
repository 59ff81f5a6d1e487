internal import MIME

extension EastAsianPage {
    /// What names would be in Korean.
    ///
    /// The syllables of KS X 1001 lie where GB 2312 has half of its hanzi of level 1, so that names in either may be sound in the
    /// other. What is written is made of few of the 2350 syllables and hanzi again and again: whose are found tells.
    struct Korean {
        private var syllables = 0
        private var wrong = 0
        /// Syllables that stand in many words, and hanzi that do, if the name is Chinese.
        private var usual = 0
        private var usualHanzi = 0
        /// So many syllables are hardly Chinese, since none of them is a hanzi of the upper half.
        private static let many = 6

        /// - Returns: whether the name is sound.
        mutating func take(_ name: [UInt8]) -> Bool {
            let isSound = EastAsianPage.areSound(in: name) { lead, trail in
                switch trail {
                case 0xA1...0xFE where 0xB0...0xC8 ~= lead: syllables += 1
                // Signs and Latin letters as wide as syllables.
                case 0xA1...0xFE where 0xA1...0xA3 ~= lead: break
                // Hanja, and the syllables that Windows added, which are rare.
                case 0x41...0x5A, 0x61...0x7A, 0x81...0xFE: wrong += 1
                default: return false
                }
                return true
            }
            guard isSound else { return false }
            usual += Charset.text(name, charset: "UHC").unicodeScalars.count { Self.usualSyllables.contains($0) }
            usualHanzi += Charset.text(name, charset: "GB18030").unicodeScalars.count { Self.usualHanzi.contains($0) }
            return true
        }

        var isLikely: Bool {
            guard syllables >= 2, wrong * EastAsianPage.most <= syllables, usual > usualHanzi else { return false }
            return usual * 3 >= syllables * 2 || syllables >= Self.many && usual * 3 >= syllables
        }

        /// Those that are most frequent in the Korean of programs, and of what files are often called.
        private static let usualSyllables = Set(
            """
            이다니지을기하에로수는습시를자스가일의정없서파어용리사트합음할인한오그은위드문아터대상션제있않크보으\
            경만프모도표전작부치름값된해입형소실함여옵바선고패키면데력설나명식디레중버행들동라비체성목내화열되세\
            조요업적개변구미장과메거호단원블택환색우타못출록마테본번류잘간령야필료복브항재분유무했추현반주렉더코\
            태포너연공래계러각안와또려방최페확십결읽르때른커속당능텍베줄알진임었저림두축객새클영절글게쪽링든접끝\
            검백매법플카참처증럼준집랜생템티램퍼초및국신배산렬노활역종됨견울학교회약족악졸논발험강청급금예평육혼\
            엄빠친랑겨봄늘획폴압첨
            """.unicodeScalars)

        /// Those that are most frequent in the Chinese of programs, among the ones that have the bytes of syllables.
        private static let usualHanzi = Set(
            """
            的件不法个出名定标对符表可到目和能入本或列分存录错将动器度大据取程类格模号接包进参加除间建前命开内部\
            过没打区果被尔点如令配后换变径多密认路码了户更档库创称拉关量此败改单版从空当发查签持并成理节合请您键\
            记方地读否编复解操默克必交来工达启结含面软服边安该口会处其里告非段代略调按布长函回化期块备放第任容比\
            串获全检归连共次机保明平但马链尼超每国导宽匹窗别而卡警计确级日端利阿角描框排集基高忽等具规切经何扩权\
            巴控缺范德罗频求层给缓起距带闭纳光偏得绘返话隔辑冲仅环管常击兰充访板附例供萨盘群反禁二两触普道科份构
            """.unicodeScalars)
    }
}

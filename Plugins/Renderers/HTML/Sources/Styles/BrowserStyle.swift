/// What elements look like before a page's own style sheets, after the suggestions of HTML (Living Standard, 15.3). Its letters have
/// no serifs: most pages ask for such in style sheets of other files.
enum BrowserStyle {
    /// What hides, in a page whose style sheets lie elsewhere, what these would put aside: without them a page begins with a long
    /// list of all others, and with links to what follows.
    static let reader = """
        nav, footer, [role="navigation"], [role="search"], [role="menu"], [role="menubar"], [role="contentinfo"],
        [aria-hidden="true"], button, a[href="#main"], a[href="#content"], a[href="#main-content"], .headerlink { display: none }
        """

    /// What is put before a page that is laid out as its own reflection: attributes say where something is seen. Programs run from
    /// left to right.
    static let mirrored = """
        <style>p[align], div[align], h1[align], h2[align], h3[align], td[align], th[align], tr[align] { text-align: left }
        [align="left"], pre, [dir="ltr"] { text-align: right } [align="center"] { text-align: center }
        img[align="left"], table[align="left"] { float: right } img[align="right"], table[align="right"] { float: left }</style>
        """

    /// What a browser begins with.
    static let sheet = """
        html { display: block; height: 100%; width: 100%; position: relative }
        body { display: block; margin: 8px }
        head, title, meta, link, script, style, template, area, base, datalist, noembed, noframes, param, rp, dialog, svg, math,
        [hidden], audio, video, canvas, object, embed, iframe, frameset, select, option, input { display: none }
        address, article, aside, blockquote, center, dd, details, dir, div, dl, dt, fieldset, figcaption, figure, footer, form,
        h1, h2, h3, h4, h5, h6, header, hgroup, hr, legend, li, listing, main, menu, nav, ol, optgroup, p, pre, search, section,
        summary, ul, xmp { display: block }
        p, blockquote, figure, listing, pre, xmp, dl, ol, ul, menu, dir { margin: 1em 0 }
        ol ol, ol ul, ul ol, ul ul, dl dl, dl ol, dl ul, ol dl, ul dl { margin: 0 }
        blockquote, figure { margin-left: 40px; margin-right: 40px }
        dd { margin-left: 40px }
        ol, ul, menu, dir { padding-left: 40px }
        ul, menu, dir { list-style-type: disc }
        ol { list-style-type: decimal }
        ul ul, ol ul { list-style-type: circle }
        li { display: list-item }
        center { text-align: center }
        h1 { font-size: 2em; margin: 0.67em 0; font-weight: bold }
        h2 { font-size: 1.5em; margin: 0.83em 0; font-weight: bold }
        h3 { font-size: 1.17em; margin: 1em 0; font-weight: bold }
        h4 { margin: 1.33em 0; font-weight: bold }
        h5 { font-size: 0.83em; margin: 1.67em 0; font-weight: bold }
        h6 { font-size: 0.67em; margin: 2.33em 0; font-weight: bold }
        b, strong, th { font-weight: bold }
        i, em, cite, dfn, var, address { font-style: italic }
        code, kbd, samp, tt, pre, listing, xmp { font-family: monospace; font-size: 13px }
        pre, listing, xmp { white-space: pre }
        big { font-size: 1.2em }
        small, sub, sup { font-size: 0.83em }
        sub { vertical-align: sub }
        sup { vertical-align: super }
        u, ins { text-decoration: underline }
        s, strike, del { text-decoration: line-through }
        mark { background-color: #ffff00; color: #000000 }
        a[href] { color: #0000ee; text-decoration: underline }
        hr { border: 1px solid #9a9a9a; margin: 0.5em 0; height: 0 }
        img, br { display: inline-block }
        nobr, td[nowrap], th[nowrap] { white-space: nowrap }
        button { display: inline-block; border: 1px solid #9a9a9a; padding: 1px 6px; background-color: #efefef }
        textarea { display: inline-block; border: 1px solid #9a9a9a; font-family: monospace; font-size: 13px }
        fieldset { border: 1px solid #9a9a9a; margin: 0 2px; padding: 0.35em 0.75em 0.6em }
        table { display: table; border-collapse: separate; border-spacing: 2px; text-indent: 0 }
        caption { display: table-caption; text-align: center }
        colgroup { display: table-column-group }
        col { display: table-column }
        thead { display: table-row-group }
        tbody { display: table-row-group }
        tfoot { display: table-row-group }
        tr { display: table-row; vertical-align: inherit }
        td, th { display: table-cell; padding: 1px; vertical-align: inherit }
        th { text-align: center }
        table, thead, tbody, tfoot { vertical-align: middle }
        table[border], table[border] > tbody > tr > td, table[border] > tbody > tr > th { border: 1px solid #9a9a9a }
        table[border="0"], table[border="0"] > tbody > tr > td, table[border="0"] > tbody > tr > th { border: none }
        img[align="left"], table[align="left"] { float: left }
        img[align="right"], table[align="right"] { float: right }
        p[align="center"], div[align="center"], h1[align="center"], h2[align="center"], h3[align="center"] { text-align: center }
        p[align="right"], div[align="right"], h1[align="right"], h2[align="right"], h3[align="right"] { text-align: right }
        """
}

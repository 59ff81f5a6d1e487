extension SheetPage {
    /// How the page looks, by day and by night, on a screen and on paper.
    static let style = """

        :root { color-scheme: light dark; --ground: #f4f4f6; --card: #fff; --ink: #1c1c21; --soft: #6a6a75;
          --line: #dedee4; --frame: #ececf0; --accent: #3457d5; --warn: #a33a1f; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #17171a; --card: #212126; --ink: #ececf1; --soft: #9c9ca8; --line: #34343c;
            --frame: #1b1b1f; --accent: #9db1ff; --warn: #ff9e80; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 100rem; padding: 2rem clamp(1rem, 3vw, 3rem) 4rem; background: var(--ground);
          color: var(--ink); font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Cantarell, "Noto Sans", sans-serif; }
        .skip { position: absolute; left: -100vw; }
        .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; border-radius: .5rem; }
        h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -.02em; overflow-wrap: anywhere; }
        .counts { margin: .4rem 0 0; color: var(--soft); }
        .counts span { white-space: nowrap; }
        .counts b { color: var(--ink); font-weight: 600; }
        nav ul { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 1.2rem 0 0; padding: 3px;
          max-height: 12rem; overflow-y: auto; }
        nav a { display: block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 1rem;
          background: var(--card); color: var(--ink); text-decoration: none; }
        nav a span { color: var(--soft); margin-left: .25rem; }
        nav a:hover { border-color: var(--accent); }
        a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        section { margin-top: 2.2rem; scroll-margin-top: 1rem; }
        h2 { font-size: 1.15rem; margin: 0 0 .9rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line);
          overflow-wrap: anywhere; }
        h2 small { font-weight: 400; font-size: .85rem; color: var(--soft); margin-left: .4rem; }
        h3 { font-size: .8rem; font-weight: 600; text-transform: uppercase; letter-spacing: .06em; color: var(--soft);
          margin: 1.2rem 0 .6rem; }
        .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.8rem, 1fr)); gap: clamp(.6rem, 2vw, 1rem);
          list-style: none; margin: 0; padding: 0; }
        .grid li { content-visibility: auto; contain-intrinsic-size: auto 16rem; }
        figure { margin: 0; height: 100%; border: 1px solid var(--line); border-radius: .7rem; background: var(--card);
          overflow: hidden; display: flex; flex-direction: column; }
        .frame { height: 12rem; padding: .8rem; display: grid; place-items: center; background: var(--frame); }
        .frame img { max-width: 100%; max-height: 10.4rem; width: auto; height: auto; display: block; border-radius: 2px;
          box-shadow: 0 1px 2px rgb(0 0 0 / .18), 0 4px 14px rgb(0 0 0 / .12); }
        .frame p { margin: 0; font-size: .85rem; color: var(--soft); text-align: center; overflow: hidden;
          display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 7; overflow-wrap: anywhere; }
        .failed .frame p { color: var(--warn); }
        figcaption { padding: .6rem .8rem .7rem; border-top: 1px solid var(--line); flex: 1; }
        .name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
          overflow-wrap: anywhere; font-weight: 500; line-height: 1.3; }
        .facts { display: block; margin-top: .15rem; font-size: .82rem; color: var(--soft);
          font-variant-numeric: tabular-nums; }
        .note { color: var(--soft); margin: 1.5rem 0 0; }
        table { border-collapse: collapse; width: 100%; font-size: .9rem; }
        th, td { text-align: left; vertical-align: top; padding: .45rem .8rem .45rem 0; overflow-wrap: anywhere;
          border-bottom: 1px solid var(--line); }
        thead th { color: var(--soft); font-weight: 500; }
        tbody th { font-weight: 500; width: 30%; }
        @media print { body { max-width: none; padding: 0; } figure { break-inside: avoid; } nav, .skip { display: none; } }

        """
}

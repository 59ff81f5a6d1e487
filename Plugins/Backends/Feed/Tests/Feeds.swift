/// One feed of each kind, and what it is shown as.
enum Feeds {
    static let all = ["rss", "atom", "rdf"]
    static let text = ["rss": rss, "atom": atom, "rdf": rdf]
    static let tree = [
        "rss": [
            "A talk": ["A talk 1.mp3", "A talk 2.jpg"], "Two pictures": ["Two pictures 1.png", "Two pictures 2.gif"],
        ],
        "atom": ["An entry / with a slash".replacing(" / ", with: " "): ["An entry with a slash 1.pdf"]],
        "rdf": ["Old": ["Old 1.jpg"]],
    ]

    static let rss = """
        <?xml version="1.0"?>
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
             xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
        <channel><title>Talks</title><image><url>/logo.png</url><title>Logo</title></image>
        <item><title>A talk</title><guid>1</guid><pubDate>Tue, 02 Jan 2024 03:04:05 GMT</pubDate>
            <enclosure url="data.bin" length="1" type="audio/mpeg"/><itunes:image href="/cover.JPG"/></item>
        <item><title>Nothing to see</title><guid>2</guid></item>
        <item><title>Two pictures</title><guid>3</guid><pubDate>2 Jan 24 04:04:05 +0100</pubDate>
            <media:group><media:content url="/a.png"/><media:content url="/a-small.png"/></media:group>
            <description>&lt;p&gt;&lt;img alt="x" src="/b.gif?a&amp;amp;b"&gt;&lt;img src="data:image/png;base64,x"&gt;
            &lt;img src="file:///etc/passwd"&gt;</description></item>
        </channel></rss>
        """
    static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Papers</title>
        <entry><title>An entry / with a slash</title><id>urn:1</id><updated>2024-01-02T03:04:05Z</updated>
            <link rel="alternate" href="/page.html"/><link rel="enclosure" type="application/pdf" href="/x"/></entry>
        </feed>
        """
    static let rdf = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
                 xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel><title>Old</title></channel>
        <item><title>Old</title><link>/old</link><dc:date>2024-01-02T03:04:05Z</dc:date>
            <description>&lt;IMG SRC='/old.jpg'&gt;</description></item>
        </rdf:RDF>
        """
}

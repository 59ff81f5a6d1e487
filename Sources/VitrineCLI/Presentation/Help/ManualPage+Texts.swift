import VitrineKit

/// What stands in the manual page and in no command's help.
extension ManualPage {
    static let purpose = "make previews of documents, pictures and videos before you look for them"

    static let description = [
        """
        Vitrine makes the pictures that file managers show of PDF and office documents, photographs, videos, music and \
        many other files, for whole folders and storages at once. They lie in the cache of thumbnails that all desktops \
        share. Each file is opened in a process of its own that cannot reach your other files, the network or other \
        programs.
        """,
        """
        Options may stand anywhere behind the command, as --name VALUE, --name=VALUE or -nVALUE; behind -- nothing is an \
        option. --help with a command tells about it. What is called a source is a name that 'vitrine source add' gave; \
        a URI may be of any storage that some plugin reads, such as davs:, sftp:, s3: or archive:.
        """,
    ]

    static let files: [(name: String, meaning: String)] = [
        ("~/.cache/thumbnails", "Previews of the sizes that file managers look for."),
        ("~/.cache/vitrine/previews", "Those of other sizes, pages, moments and formats."),
        (
            "~/.cache/vitrine/blocks",
            "Content that was read from servers or unpacked from archives, 512 MiB at most; 'vitrine cache clear --all' empties it."
        ),
        ("~/.cache/vitrine/catalog.sqlite", "What was seen, and what changed. It is made anew when it is gone."),
        ("~/.config/vitrine/config", "The settings; 'vitrine config show' prints them with their defaults."),
        ("~/.config/vitrine/accounts", "Accounts of storages, without their secrets."),
        (
            "~/.local/share/vitrine/library.sqlite",
            "Sources, collections, notes and favorites, with a daily copy beside it."
        ),
        ("~/.local/share/vitrine/collections", "Copies of remote files that were put into collections."),
        ("~/.local/share/vitrine/secrets", "Secrets of accounts, where there is no keyring."),
        ("~/.local/share/vitrine/plugins-\(VITRINE_PLUGIN_ABI)", "Plugins for you alone."),
        (".vitrineignore", "In any folder: what is left out of it, in the syntax of gitignore(5)."),
        (".nomedia", "A folder that holds it is left out."),
    ]

    static let variables: [(name: String, meaning: String)] = [
        ("XDG_CACHE_HOME", "In place of ~/.cache."), ("XDG_CONFIG_HOME", "In place of ~/.config."),
        ("XDG_DATA_HOME", "In place of ~/.local/share."),
        ("XDG_DATA_DIRS", "Where thumbnailers of other projects are looked for, besides."),
        ("TMPDIR", "Where temporary files lie. Default: /tmp."),
        ("VISUAL", "The editor that notes are written with; else EDITOR."),
        ("VITRINE_PLUGIN_PATH", "Folders of plugins that come before all others, with colons between."),
        ("VITRINE_SDK", "The prefix of the SDK that new plugins are built with."),
        ("VITRINE_WORKER", "The program that renders, vitrine-worker, where it lies elsewhere."),
        (
            "VITRINE_WORKER_STDERR",
            "When set, what the libraries of renderers complain of is shown on standard error, if that is no file."
        ),
    ]

    static let examples = [
        "vitrine prebuild ~/Documents", "vitrine get film.mp4 --frames 9 --size xx-large -o film.jpg",
        "vitrine get letter.pdf --page 3 -o page@2x.png", "vitrine source add ~/Pictures && vitrine watch",
        "vitrine find invoice --type pdf --after 2025-01", "vitrine prebuild davs://cloud.example.org/photos",
        "find . -newer stamp -print0 | vitrine prebuild -0 --files-from -", "vitrine prebuild . --sheet sheet.html",
        "vitrine failures --retry ~/Documents",
    ]
}

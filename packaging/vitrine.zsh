#compdef vitrine
# Completions of vitrine for zsh. What there is to complete is asked of the program, so that both never differ:
# 'vitrine help --words -- WORDS…' prints what may stand in place of the last word: a word a line, with a tab and what it means
# behind it. A line without a word says that files may be named as well.

_vitrine() {
    local -a typed=("${(@Q)words[2,CURRENT-1]}")
    local -a lines=("${(@f)$(vitrine help --words -- "${typed[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
    local tab=$'\t'
    local files=${lines[(Ie)$tab]}
    # As _describe reads them: with a colon between, and behind a backslash those that belong to the word.
    local -a known=("${(@)${(@)${(@M)lines:#?*$'\t'*}//:/\\:}/$'\t'/:}")
    known=("${(@)known%:}")
    local -a options=("${(@M)known:#-*}") others=("${(@)known:#-*}")
    (( $#options )) && _describe -o option options
    (( $#others )) && _describe word others
    (( files )) && _files
}

_vitrine "$@"

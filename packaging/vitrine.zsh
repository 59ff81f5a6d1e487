#compdef vitrine
# Completions of vitrine for zsh. What there is to complete is asked of the program, so that both never differ:
# 'vitrine help --words [COMMAND]' prints a word a line, with a tab and what it means behind it.

_vitrine() {
    local command=()
    (( CURRENT > 2 )) && command=(-- "${(Q)words[2]}")
    local -a lines=("${(@f)$(vitrine help --words $command 2>/dev/null)}")
    # As _describe reads them: with a colon between.
    local -a known=("${(@)lines/$'\t'/:}")
    local -a options=("${(@M)known:#-*}") actions=("${(@)known:#-*}")
    if (( CURRENT == 2 )); then
        _describe command actions
    elif [[ $PREFIX == -* ]]; then
        _describe -o option options
    else
        (( CURRENT == 3 )) && actions=("${(@)actions%:}") && _describe word actions && return
        _files
    fi
}

_vitrine "$@"

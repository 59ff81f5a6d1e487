# Completions of vitrine for bash. What there is to complete is asked of the program, so that both never differ:
# 'vitrine help --words -- WORDS…' prints what may stand in place of the last word: a word a line, with a tab and what it means
# behind it. A line without a word says that files may be named as well.

# A word as it is written on the line. Between quotes it stays as it is, so that there are only words without a letter that
# means something to bash: names of sources and collections come from folders, and those from anywhere.
_vitrine_offer() {
    local word="$1" end="$2"
    if [[ -z "$3" ]]; then
        printf -v word '%q' "$word"
        # A comma needs no backslash, and the home folder must have none.
        word="${word//\\,/,}"
        word="${word/#\\\~\//\~\/}"
    elif [[ "$word" == *[^[:alnum:]\ ._/@+=,:-]* ]]; then
        return
    fi
    COMPREPLY+=("$word$end")
}

_vitrine() {
    local typed=() joined= word last bare current before files= isQuoted= end
    COMPREPLY=()
    # Behind < and > there are files.
    [[ $COMP_CWORD -lt 1 || "${COMP_WORDS[COMP_CWORD - 1]}${COMP_WORDS[COMP_CWORD]}" != *[\<\>]* ]] || return
    # As they were typed, but that bash takes = and : for words of their own.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ "$word" =~ ^[=:]+$ && ${#typed[@]} -gt 0 ]]; then
            typed[-1]+="$word" joined=1 last=
        elif [[ -n "$joined" ]]; then
            typed[-1]+="$word" joined= last="$word"
        else
            typed+=("$word") last="$word"
        fi
    done
    # Without quotes and backslashes.
    typed=("${typed[@]//[\\\"\']/}")
    current="${typed[-1]}"
    bare="${last//[\\\"\']/}"
    before="${current%"$bare"}"
    [[ "$last" != *[\"\']* ]] || isQuoted=1
    while IFS=$'\t' read -r word _; do
        if [[ -z "$word" ]]; then
            files=1
        elif [[ "$word" == "$current"* && ("$word" != -* || "$current" == -*) ]]; then
            # Readline replaces what stands behind the last = or :.
            _vitrine_offer "${word#"$before"}" "" "$isQuoted"
        fi
    done < <(vitrine help --words -- "${typed[@]}" 2>/dev/null)
    if [[ -z "$files" ]]; then
        compopt +o default 2>/dev/null
    elif [[ ${#COMPREPLY[@]} -gt 0 ]]; then
        while IFS= read -r word; do
            end=
            [[ ! -d "${word/#\~\//"$HOME/"}" ]] || end=/
            _vitrine_offer "$word" "$end" "$isQuoted"
        done < <(compgen -f -- "$bare")
    fi
}

# Files, where nothing of this fits.
complete -o default -F _vitrine vitrine

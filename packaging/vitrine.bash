# Completions of vitrine for bash. What there is to complete is asked of the program's help, so that both never differ.

_vitrine_words() {
    # Commands of the overview; options, and the words of the usage that are no names of values, of a command.
    if [ -z "$1" ]; then
        vitrine help 2>/dev/null | sed -nE 's/^  ([a-z]+)  .*/\1/p'
        return
    fi
    local help
    help="$(vitrine help "$1" 2>/dev/null)" || return
    sed -nE 's/^  (-[a-zA-Z], )?(--[a-z-]+).*/\2/p' <<< "$help"
    # The usage goes up to the first empty line.
    sed -nE '/^$/q; s/^Usage: vitrine [a-z]+//; s/--[a-z-]+//g; p' <<< "$help" | tr -cs 'a-z\n' '\n' | grep -E '^[a-z]+$' | awk '!seen[$0]++'
}

_vitrine() {
    local current="${COMP_WORDS[COMP_CWORD]}" words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; }; then
        mapfile -t COMPREPLY < <(compgen -W "$(_vitrine_words "")" -- "$current")
        return
    fi
    words="$(_vitrine_words "${COMP_WORDS[1]}")"
    if [[ "$current" == -* ]]; then
        words="$(grep '^-' <<< "$words")"
    elif [ "$COMP_CWORD" -eq 2 ]; then
        words="$(grep -v '^-' <<< "$words")"
    else
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

# Files, where nothing of this fits.
complete -o default -F _vitrine vitrine

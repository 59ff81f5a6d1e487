# Completions of vitrine for bash. What there is to complete is asked of the program, so that both never differ:
# 'vitrine help --words [COMMAND]' prints a word a line, with a tab and what it means behind it.

_vitrine() {
    local current="${COMP_WORDS[COMP_CWORD]}" command word words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$(vitrine help --words 2>/dev/null | cut -f 1)"
    else
        # As it was typed, with its quotes and backslashes.
        command="${COMP_WORDS[1]//[\\\"\']/}"
        words="$(vitrine help --words -- "$command" 2>/dev/null | cut -f 1)"
        if [[ "$current" == -* ]]; then
            words="$(grep '^-' <<< "$words")"
        elif [ "$COMP_CWORD" -eq 2 ]; then
            words="$(grep -v '^-' <<< "$words")"
        else
            return
        fi
    fi
    while IFS= read -r word; do
        [[ -z "$word" || "$word" != "$current"* ]] || COMPREPLY+=("$word")
    done <<< "$words"
}

# Files, where nothing of this fits.
complete -o default -F _vitrine vitrine

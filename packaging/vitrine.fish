# Completions of vitrine for fish. What there is to complete is asked of the program, so that both never differ:
# 'vitrine help --words -- WORDS…' prints what may stand in place of the last word: a word a line, with a tab and what it means
# behind it, as fish reads them. A line without a word says that files may be named as well.

function __vitrine_lines
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -e typed[1]
    vitrine help --words -- $typed "$current" 2>/dev/null
end

# A word and files are completed at once.
complete -c vitrine -n 'not contains -- \t (__vitrine_lines)' -f
complete -c vitrine -a '(__vitrine_lines | string match -rv "^\t")'

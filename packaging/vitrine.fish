# Completions of vitrine for fish. What there is to complete is asked of the program, so that both never differ:
# 'vitrine help --words [COMMAND]' prints a word a line, with a tab and what it means behind it, as fish reads them.

function __vitrine_words
    set -l typed (commandline -opc)
    switch (count $typed)
        case 1
            vitrine help --words 2>/dev/null
        case '*'
            set -l words (vitrine help --words -- $typed[2] 2>/dev/null)
            if string match -q -- '-*' (commandline -ct)
                string match -- '-*' $words
            else if test (count $typed) -eq 2
                string match -v -- '-*' $words
            end
    end
end

# No file is a command; behind one, files are offered beside the words.
complete -c vitrine -n 'test (count (commandline -opc)) -eq 1' -f
complete -c vitrine -a '(__vitrine_words)'

# fish completion for cupel: cupel completion fish > ~/.config/fish/completions/cupel.fish
function __cupel_offer
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -q words[1]; or return 1
    set -l asked (string join \n -- $words $word | string collect)
    if test "$asked" != "$__cupel_asked"
        set -g __cupel_asked $asked
        set -g __cupel_offered ($words[1] __complete -- $words[2..] "$word" 2>/dev/null)
    end
    set -q __cupel_offered[1]
end
function __cupel_kind -a wanted
    __cupel_offer; or return 1
    set -l kind (string split \t -- $__cupel_offered[1])
    test "$kind[1]" = $wanted; and test "$kind[2]" != @
end
function __cupel_words
    __cupel_offer; or return
    set -l kind (string split \t -- $__cupel_offered[1])
    if test "$kind[1]" = files; and test "$kind[2]" = @
        for name in (string replace -r '^@' '' -- (commandline -ct))*
            printf '@%s\n' $name
        end
    else if test "$kind[1]" = words
        for line in $__cupel_offered[2..]
            printf '%s%s\n' "$kind[2]" $line
        end
    end
end
complete -c cupel -f
complete -c cupel -n '__cupel_kind files' -F
complete -c cupel -n '__cupel_kind folders' -a '(__fish_complete_directories (commandline -ct) "")'
complete -c cupel -a '(__cupel_words)' -k

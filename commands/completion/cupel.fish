# fish completion for cupel: cupel completion fish > ~/.config/fish/completions/cupel.fish
function __cupel_complete
    set -l words (commandline -opc) (commandline -ct)
    set -e words[1]
    cupel __complete -- $words 2>/dev/null
end
complete -c cupel -a '(__cupel_complete)'

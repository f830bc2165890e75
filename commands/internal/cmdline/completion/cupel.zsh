#compdef cupel
# zsh completion for cupel: cupel completion zsh > "${fpath[1]}/_cupel"
_cupel() {
    local -a lines known
    local kind keep line
    lines=("${(@f)$("${words[1]/#\~\//$HOME/}" __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    kind=${lines[1]%%$'\t'*} keep=${lines[1]#*$'\t'}
    shift lines
    [[ -n $keep ]] && compset -p ${#keep}
    case $kind in
    files) _files ;;
    folders) _path_files -/ ;;
    words)
        for line in $lines; do
            known+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        done
        (( $#known )) && _describe -V 'cupel' known
        ;;
    esac
}
if [ "$funcstack[1]" = "_cupel" ]; then
    _cupel "$@"
else
    compdef _cupel cupel
fi

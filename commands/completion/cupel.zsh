#compdef cupel
# zsh completion for cupel: cupel completion zsh > "${fpath[1]}/_cupel"
_cupel() {
    local -a found
    found=("${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    found=(${found:#})
    if (( ${#found} )); then
        compadd -- $found
    else
        _files
    fi
}
if [ "$funcstack[1]" = "_cupel" ]; then
    _cupel "$@"
else
    compdef _cupel cupel
fi

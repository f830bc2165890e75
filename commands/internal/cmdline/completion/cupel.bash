# bash completion for cupel: source <(cupel completion bash)
_cupel() {
    # bash cuts words at = and : too; what no blank parts is one word
    local rest=${COMP_LINE:0:COMP_POINT} words=() n=-1 i piece blank
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blank=${rest%%[![:space:]]*} rest=${rest#"${rest%%[![:space:]]*}"}
        piece=${COMP_WORDS[i]}
        [ "$i" -eq "$COMP_CWORD" ] && piece=$rest
        rest=${rest#"$piece"}
        if [ "$n" -lt 0 ] || [ -n "$blank" ]; then n=$((n + 1)); fi
        words[n]=${words[n]-}$piece
    done
    local word=${words[n]} kind keep name means found=() all=() widest=0
    {
        IFS=$'\t' read -r kind keep
        while IFS=$'\t' read -r name means; do
            found+=("$name") all+=("$means")
            ((${#name} > widest)) && widest=${#name}
        done
    } < <("${words[0]/#\~\//$HOME/}" __complete -- "${words[@]:1}" 2>/dev/null)
    COMPREPLY=()
    # readline replaces what stands behind the last of its word breaks
    local old=$word
    while [ -n "$old" ] && [[ $COMP_WORDBREAKS != *"${old:${#old}-1}"* ]]; do old=${old%?}; done
    old=${old%@} # which it takes for the beginning of the word
    case $kind in
    folders) compopt -o dirnames 2>/dev/null ;;
    files)
        local value=${word#"$keep"}
        case $value in
        *[:@]* | @* | \"* | \'*) ;;
        *) [ "$keep" != @ ] && compopt -o default 2>/dev/null && return ;;
        esac
        case $value in *\\* | \"* | \'*) compopt -o default 2>/dev/null; return ;; esac
        [ "$keep" = @ ] || compopt -o filenames 2>/dev/null
        while IFS= read -r name; do
            [ "$keep" = @ ] && printf -v name %q "$name"
            name=$keep$name
            COMPREPLY+=("${name#"$old"}")
        done < <(compgen -f -- "$value")
        ;;
    *)
        compopt -o nosort 2>/dev/null
        local room=$((${COLUMNS:-80} - widest - 2))
        for ((i = 0; i < ${#found[@]}; i++)); do
            name=$keep${found[i]} means=
            # a list for people says what each word means; a single word is inserted
            if [ ${#found[@]} -gt 1 ] && [ "$room" -gt 20 ] && [ "$COMP_TYPE" != 37 ] && [ "$COMP_TYPE" != 42 ]; then
                printf -v means '%*s  (%s)' $((widest - ${#found[i]})) '' "${all[i]}"
                means=${means:0:room}
            fi
            COMPREPLY+=("${name#"$old"}$means")
        done
        ;;
    esac
}
if type compopt >/dev/null 2>&1; then
    complete -F _cupel cupel
else # bash 3 of macOS
    complete -o default -F _cupel cupel
fi

/// The completion scripts. They contain no commands or options: each calls the `completions --complete` command of the program that
/// is being typed, and passes the answer to its shell.
enum CompletionScript {
  static let bash = #"""
    # Completes graft in bash. To use it: source <(graft completions bash)

    _graft() {
      local current=${COMP_WORDS[COMP_CWORD]} before= program=${COMP_WORDS[0]} word rest line
      (( COMP_CWORD > 0 )) && before=${COMP_WORDS[COMP_CWORD - 1]}
      COMPREPLY=()
      # bash ends words at '='. Only what follows it is completed.
      local split=
      if [[ $current == "=" ]]; then split=yes current=; elif [[ $before == "=" ]]; then split=yes; fi
      while IFS=$'\t' read -r word rest; do
        case $word in
          :files*)
            compopt -o filenames 2>/dev/null
            local ending=${word#:files}
            ending=${ending# }
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
              if [[ -n $ending ]]; then
                compgen -d -- "$current"
                compgen -f -X "!*.$ending" -- "$current"
              else
                compgen -f -- "$current"
              fi | sort -u
            )
            ;;
          *)
            [[ -n $split ]] && word=${word#*=}
            [[ $word == "$current"* ]] && COMPREPLY+=("$word")
            ;;
        esac
      done < <("${program/#\~/$HOME}" completions --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    }

    complete -F _graft graft

    """#

  static let zsh = #"""
    #compdef graft
    # Completes graft in zsh. To use it: save it as _graft in a folder of fpath.

    _graft() {
      local line ending program=${(Q)words[1]}
      local -a answer plain open
      answer=("${(@f)$("${program/#\~/$HOME}" completions --complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
      for line in "${answer[@]}"; do
        case $line in
          '') ;;
          :files*)
            ending=${line#:files}
            ending=${ending# }
            [[ $PREFIX == *=* ]] && compset -P '*='
            if [[ -n $ending ]]; then _files -g "*.$ending"; else _files; fi
            ;;
          *=$'\t'*|*=) open+=("${${line//:/\\:}/$'\t'/:}") ;;
          *) plain+=("${${line//:/\\:}/$'\t'/:}") ;;
        esac
      done
      (( $#plain )) && _describe 'graft' plain
      (( $#open )) && _describe 'graft' open -S ''
    }

    if [[ $funcstack[1] == _graft ]]; then _graft "$@"; else compdef _graft graft; fi

    """#

  static let fish = #"""
    # Completes graft in fish. To use it: save it as ~/.config/fish/completions/graft.fish

    function __graft_complete
        set -l words (commandline -opc)
        set -l token (commandline -ct)
        for line in ($words[1] completions --complete -- $words[2..-1] "$token" 2>/dev/null)
            switch $line
                case ':files*'
                    set -l ending (string replace -r '^:files ?' '' -- $line)
                    set -l prefix (string match -r '^[^=]*=' -- $token)
                    set -l path (string replace -r '^[^=]*=' '' -- $token | string replace -r '^~' $HOME)
                    for name in $path*
                        if test -d $name
                            echo "$prefix$name/"
                        else if test -z "$ending"; or string match -q "*.$ending" -- $name
                            echo "$prefix$name"
                        end
                    end
                case '*'
                    echo $line
            end
        end
    end

    complete -c graft -f -a '(__graft_complete)'

    """#
}

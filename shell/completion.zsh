#compdef cuda-cc
# SPDX-License-Identifier: Apache-2.0
# Completion of cuda-cc for zsh. It asks cuda-cc itself what may follow: docs/install.md.

_cuda-cc() {
  local line value meaning current=${(Q)PREFIX}
  local -a given lines closed open part
  given=("${(@Q)words[2,CURRENT-1]}" "$current")
  lines=("${(@f)$(_call_program values "${(q)${(Q)words[1]}}" completion --complete -- "${(@q)given}")}")
  for line in "${(@)lines}"; do
    part=(${=line})
    case $line in
      (:files*)
        _cuda-cc-names $part[2] _files ${part[3]:+-g "*.(${(j:|:)part[3,-1]})(|.*)(-.)"}
        ;;
      (:directories*) _cuda-cc-names $part[2] _files -/ ;;
      (:programs*) _cuda-cc-names $part[2] _command_names -e ;;
      (:command*)
        # The words before it are cuda-cc and its own options.
        words=("${(@)words[part[2]+2,-1]}")
        (( CURRENT -= part[2] + 1 ))
        _normal
        return
        ;;
      (*)
        value=${line%%$'\t'*} meaning=${line#*$'\t'}
        value=${${value//\\/\\\\}//:/\\:}${meaning:+:$meaning}
        if [[ $line == *[:=]$'\t'* ]]; then open+=("$value"); else closed+=("$value"); fi
        ;;
    esac
  done
  # More follows those that end in = or :, so no blank does.
  (( $#closed )) && _describe -t values value closed
  (( $#open )) && _describe -t values value open -S ''
  (( $compstate[nmatches] ))
}

# Completes names of files or programs from character $1 of the word on.
_cuda-cc-names() {
  local PREFIX=$PREFIX IPREFIX=$IPREFIX
  compset -p $1
  "${(@)argv[2,-1]}"
}

# Autoloaded from fpath, or sourced.
if [[ $funcstack[1] == _cuda-cc ]]; then
  _cuda-cc "$@"
else
  compdef _cuda-cc cuda-cc
fi

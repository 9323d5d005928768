# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of cuda-cc for bash 4.4 and later. It asks cuda-cc itself what may follow: docs/install.md.

# Sets `words` to the words up to the cursor, and `starts` to their indices in COMP_WORDS. readline splits
# words at COMP_WORDBREAKS as well (`torch==2.5.1` is three); here only blanks do.
_cuda_cc_words() {
  local line=${COMP_LINE:0:COMP_POINT} rest part i last=-1
  words=() starts=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest=${line#"${line%%[![:space:]]*}"}
    if ((i == 0)) || [[ $rest != "$line" ]]; then
      last=$((last + 1))
      words[last]='' starts[last]=$i
    fi
    part=${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || part=$rest
    words[last]+=$part
    line=${rest#"$part"}
  done
}

# Sets `plain` to the word $1 as a program would get it.
_cuda_cc_plain() {
  case $1 in
    \'*) plain=${1#\'} plain=${plain%\'} ;;
    \"*) plain=${1#\"} plain=${plain%\"} ;;
    *) plain=${1//\\/} ;;
  esac
}

# Adds to `found` the files that begin with $1, behind the word's first part $2: directories, and those with
# one of the other arguments as suffix; all files if none has it.
_cuda_cc_files() {
  local path=$1 front=$2 files=() kept=() each suffix
  shift 2
  mapfile -t files < <(compgen -f -- "$path")
  for each in "${files[@]}"; do
    [[ ! -d ${each/#\~/$HOME} ]] || kept+=("$each")
    for suffix; do
      [[ $each != *."$suffix" && $each != *."$suffix".* ]] || { kept+=("$each"); break; }
    done
  done
  [[ $# != 0 && ${#kept[@]} != 0 ]] || kept=("${files[@]}")
  found+=("${kept[@]/#/$front}")
  compopt -o filenames
}

# Completes another program's command line, whose first word is COMP_WORDS[$1].
_cuda_cc_command() {
  if declare -F _comp_command_offset > /dev/null; then
    _comp_command_offset "$1"
  elif declare -F _command_offset > /dev/null; then
    _command_offset "$1"
  else
    compopt -o bashdefault -o default
  fi
}

_cuda_cc() {
  local words starts plain found=() given=() program current raw line kind offset suffixes cut='' each
  _cuda_cc_words
  for each in "${words[@]:1}"; do
    _cuda_cc_plain "$each"
    given+=("$plain")
  done
  current=$plain raw=${words[-1]}
  _cuda_cc_plain "$1"
  program=${plain/#\~/$HOME}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line != :* ]]; then
      line=${line%%$'\t'*}
      [[ $line == "$current"* ]] || continue
      # Names of files are quoted by readline.
      [[ $raw == [\'\"]* ]] || printf -v line %q "$line"
      found+=("$line")
      continue
    fi
    read -r kind offset line <<< "$line"
    read -r -a suffixes <<< "$line"
    case $kind in
      :files) _cuda_cc_files "${current:offset}" "${current:0:offset}" "${suffixes[@]}" ;;
      :directories)
        mapfile -t -O "${#found[@]}" found < <(compgen -P "${current:0:offset}" -d -- "${current:offset}")
        compopt -o filenames
        ;;
      :programs)
        [[ -z ${current:offset} ]] ||
          mapfile -t -O "${#found[@]}" found < <(compgen -P "${current:0:offset}" -c -- "${current:offset}")
        ;;
      :command)
        _cuda_cc_command "${starts[offset + 1]}"
        return
        ;;
    esac
  done < <("$program" completion --complete -- "${given[@]}" 2> /dev/null)

  # readline replaces only what follows the last of its own word breaks, unless a quote is open.
  if [[ $raw != [\'\"]* ]]; then
    for each in = :; do
      line=${raw%"${raw##*"$each"}"}
      [[ $COMP_WORDBREAKS != *"$each"* ]] || ((${#line} <= ${#cut})) || cut=$line
    done
  fi
  for each in "${found[@]}"; do
    COMPREPLY+=("${each#"$cut"}")
  done
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[=:/] ]] || compopt -o nospace
}

complete -F _cuda_cc cuda-cc

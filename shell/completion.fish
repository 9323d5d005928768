# SPDX-License-Identifier: Apache-2.0
# Completion of cuda-cc for fish 3 and later. It asks cuda-cc itself what may follow: docs/install.md.

# Files that begin with the raw text $argv[2], behind $argv[1]: directories, and those with one of the other
# arguments as suffix; all files if none has it.
function __cuda_cc_files
    set -l paths (complete -C "'' $argv[2]" | string replace -r '\t.*' '')
    set -l kept
    for path in $paths
        for suffix in / .$argv[3..-1]
            if string match -q -- "*$suffix" $path; or string match -q -- "*$suffix.*" $path
                set -a kept $path
                break
            end
        end
    end
    set -q argv[3]; and set -q kept[1]; and set paths $kept
    printf '%s\n' $argv[1]$paths
end

function __cuda_cc_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l raw (commandline -ct)
    set -l current (string replace -r '^[\'"]' '' -- "$raw" | string unescape)
    for line in (command $program completion --complete -- $words "$current" 2>/dev/null)
        if not string match -q ':*' -- $line
            echo $line
            continue
        end
        set -l part (string split ' ' -- $line)
        set -l front (string sub -l $part[2] -- "$current")
        set -l name (string sub -s (math $part[2] + 1) -- "$raw")
        switch $part[1]
            case :files
                __cuda_cc_files "$front" "$name" $part[3..-1]
            case :directories
                __cuda_cc_files "$front" "$name" | string match '*/'
            case :programs
                printf '%s\n' $front(complete -C "$name")
            case :command
                # The words before it are cuda-cc's own options.
                set -l rest (string escape -- $words[(math $part[2] + 1)..-1])
                complete -C "$rest $raw"
        end
    end
end

complete -c cuda-cc -f -a '(__cuda_cc_complete)'

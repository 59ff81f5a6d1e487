#!/bin/bash
# usage: naive.sh OUTPUT FAMILY…, in the folder that holds a folder for each family
#
# What anybody would write first: a process for each file, as many at once as there are processors.
set -uo pipefail

output="$1"
shift
export output

# At an exit code of 255, which some tools have for a broken file, xargs gives up; the shell turns it into 1.
limited='timeout -k 5 30 "$0" "$@" || exit 1'

each() { # FAMILY COMMAND…, where {} is the file
    local family="$1"
    shift
    mkdir -p "$output/$family"
    find "$family" -type f -print0 |
        xargs -0 -r -P "$(nproc)" --process-slot-var=slot -I '{}' sh -c "$limited" "$@"
}

for family in "$@"; do
    case "$family" in
    pdf) each pdf pdftoppm -q -png -singlefile -scale-to 256 '{}' "$output/{}" ;;
    image) each image vipsthumbnail -s 256 -o "$output/{}.png" '{}' ;;
    video | audio) each "$family" ffmpegthumbnailer -s 256 -i '{}' -o "$output/{}.png" ;;
    # Two LibreOffices cannot share a profile; the shell is there to give each slot its own.
    office) each office sh -c 'exec soffice -env:UserInstallation="file://$output/profile-$slot" --headless \
        --convert-to png --outdir "$output/office" "$0"' '{}' ;;
    esac
done
# A file that a tool cannot draw is an answer, not an error of this script.
exit 0

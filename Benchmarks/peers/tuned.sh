#!/bin/bash
# usage: tuned.sh OUTPUT FAMILY…, in the folder that holds a folder for each family
#
# The best that we could do by hand with the programs that there are: one LibreOffice for all documents, beside it
# the quickest tool for each other family, many files in a process where the tool can, as many processes as processors.
set -uo pipefail

output="$1"
shift
jobs="$(nproc)"

# Runs a command, at most so many seconds, for its share of the files. At an exit code of 255, which some tools have for
# a broken file, xargs gives up; the shell turns it into 1.
share() { # SECONDS HOW-MANY-OR-WHERE COMMAND…
    local seconds="$1" how="$2"
    shift 2
    xargs -0 -r -P "$jobs" "$how" sh -c 'timeout -k 5 "$0" "$@" || exit 1' "$seconds" "$@"
}

files() { # FAMILY: its files, each ended by a zero byte
    mkdir -p "$output/$1"
    find "$1" -type f -print0 | sort -z
}

missing() { # FAMILY: those of which no picture was made
    local file
    files "$1" | while IFS= read -r -d '' file; do
        if [ ! -e "$output/$file.png" ] && [ ! -e "$output/${file%.*}.png" ]; then
            printf '%s\0' "$file"
        fi
    done
}

office() {
    local -a left
    local last name place
    mapfile -d '' -t left < <(files office)
    # A document that ends LibreOffice, or holds it for ever, costs itself and the time: the next run goes on behind it.
    while [ ${#left[@]} -gt 0 ]; do
        timeout -k 5 $((30 + ${#left[@]} / 2)) soffice -env:UserInstallation="file://$output/profile" --headless \
            --convert-to png --outdir "$output/office" "${left[@]}" && break
        last=-1
        for place in "${!left[@]}"; do
            name="${left[place]%.*}"
            if [ -e "$output/$name.png" ]; then
                last="$place"
            fi
        done
        left=("${left[@]:last + 2}")
    done
}

pdf() {
    files pdf | share 30 -I{} mutool draw -q -w 256 -h 256 -o "$output/{}.png" '{}' 1
    missing pdf | share 30 -I{} pdftoppm -q -png -singlefile -scale-to 256 '{}' "$output/{}"
}

image() {
    files image | share 120 -n16 vipsthumbnail -s 256 -o "$output/image/%s.png"
    # A file that crashes it takes the rest of its share along.
    missing image | share 30 -n1 vipsthumbnail -s 256 -o "$output/image/%s.png"
}

video() {
    files video | share 30 -I{} ffmpeg -nostdin -v error -threads 1 -skip_frame nokey -i '{}' \
        -an -sn -frames:v 1 -vf scale=256:256:force_original_aspect_ratio=decrease "$output/{}.png"
    missing video | waveforms
}

audio() {
    files audio | waveforms
}

# Of sound without looking for a cover, which is rare.
waveforms() {
    share 30 -I{} ffmpeg -nostdin -v error -threads 1 -i '{}' \
        -filter_complex 'aformat=channel_layouts=mono,showwavespic=s=256x256' -frames:v 1 "$output/{}.png"
}

for family in "$@"; do
    if [ "$family" = office ]; then
        office &
    fi
done
for family in "$@"; do
    if [ "$family" != office ]; then
        "$family"
    fi
done
wait
# A file that a tool cannot draw is an answer, not an error of this script.
exit 0

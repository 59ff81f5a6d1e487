#!/bin/sh
# Installs what a plugin outside of this tree is built and tested with: the module and library of VitrineKit, those of
# VitrineTesting, and the header of the handshake.
#
#   scripts/install-sdk.sh PREFIX BUILD_DIR
#
# PREFIX      where to, such as /usr/local; the files go to PREFIX/include/vitrine and PREFIX/lib/vitrine
# BUILD_DIR   a finished build, such as .build/release
set -eu

fail() {
    echo "install-sdk: $1" >&2
    exit 1
}

[ $# -eq 2 ] || fail "two arguments are wanted: PREFIX BUILD_DIR"
prefix=$1
build=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
headers=$root/Sources/VitrineKit/Sources/CVitrineABI/include
include=$prefix/include/vitrine
libraries=$prefix/lib/vitrine

for file in Modules/VitrineKit.swiftmodule Modules/VitrineKit.swiftinterface Modules/VitrineTesting.swiftmodule \
    libVitrineKit.so libVitrineTesting.so; do
    [ -f "$build/$file" ] || fail "'$build/$file' is missing; run 'swift build' first, with the configuration of that folder"
done

mkdir -p "$include/CVitrineABI" "$libraries"
for module in VitrineKit VitrineTesting; do
    for kind in swiftmodule swiftinterface swiftdoc; do
        if [ -f "$build/Modules/$module.$kind" ]; then
            install -m 644 "$build/Modules/$module.$kind" "$include/$module.$kind"
        fi
    done
    install -m 755 "$build/lib$module.so" "$libraries/lib$module.so"
done
install -m 644 "$headers/module.modulemap" "$headers/vitrine_plugin.h" "$include/CVitrineABI/"

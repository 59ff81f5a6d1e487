#!/bin/bash
# Copies what a plugin outside of this tree is built and tested with: the modules and libraries of VitrineKit and
# VitrineTesting, and the header of the handshake.
#   PREFIX/include/vitrine/   modules, CVitrineABI/
#   PREFIX/lib/vitrine/       libVitrineKit.so, libVitrineTesting.so
# usage: scripts/install-sdk.sh BUILD-FOLDER PREFIX
set -euo pipefail

fail() {
    echo "install-sdk: $1" >&2
    exit 1
}

if [ $# -ne 2 ]; then
    echo "usage: scripts/install-sdk.sh BUILD-FOLDER PREFIX" >&2
    exit 2
fi
build="$1"
root="$(cd "$(dirname "$0")/.." && pwd)"
include="$2/include/vitrine"
libraries="$2/lib/vitrine"
headers="$root/Sources/VitrineKit/Sources/CVitrineABI/include"

for file in Modules/VitrineKit.swiftmodule Modules/VitrineKit.swiftinterface Modules/VitrineTesting.swiftmodule \
    libVitrineKit.so libVitrineTesting.so; do
    [ -f "$build/$file" ] || fail "'$build/$file' is missing; run 'swift build' first, with the configuration of that folder"
done

install -d "$include/CVitrineABI" "$libraries"
for module in VitrineKit VitrineTesting; do
    for kind in swiftmodule swiftinterface swiftdoc; do
        if [ -f "$build/Modules/$module.$kind" ]; then
            install -m 644 "$build/Modules/$module.$kind" "$include/$module.$kind"
        fi
    done
    install -m 644 "$build/lib$module.so" "$libraries/lib$module.so"
done
install -m 644 "$headers/module.modulemap" "$headers/vitrine_plugin.h" "$include/CVitrineABI/"

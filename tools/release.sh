#!/usr/bin/env bash
# make release VERSION=1.0.0: builds and checks the packages of a tagged version in dist/VERSION. Nothing is uploaded.
# The steps before and after: CONTRIBUTING.md, "A version".
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
version=$1 folder=$PWD/dist/$1 python=$PWD/.venv/bin/python

"$python" -m tools.installing --tested "$python" -m pip install -q --group release
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone -q --branch "v$version" . "$clone"
cd "$clone"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) # all times in the packages: whoever builds the tag gets the same
export SOURCE_DATE_EPOCH

rm -rf "$folder" && mkdir -p "$folder"
"$python" -c 'import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])' "$folder" >"$folder.log"
# from what the source distribution holds, so that nothing is missing in it
"$python" -m pip wheel -q --no-deps --no-build-isolation -w "$folder" "$folder"/*.tar.gz
"$python" -m tools.package --version "$version" "$folder"
"$python" -m sphinx -q -W -b html -c docs . "beisitzer-site-$version"
tar -czf "$folder/beisitzer-site-$version.tar.gz" "beisitzer-site-$version"
"$python" -m cyclonedx_py requirements --pyproject pyproject.toml -o "$folder/beisitzer-$version.cdx.json" debian/vendored.txt

"$python" -m twine check --strict "$folder"/*.whl "$folder/beisitzer-$version.tar.gz"
"$python" -m check_wheel_contents "$folder"/*.whl
lintian --allow-root --fail-on error,warning "$folder"/*.deb
[ ! -e "$here/dist/beisitzer-$version.img.xz" ] || cp "$here/dist/beisitzer-$version.img.xz" "$folder"
cd "$folder"
sums=$(sha256sum -- *)
echo "$sums" >SHA256SUMS
ls -l

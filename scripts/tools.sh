# shellcheck shell=bash
# Finds or installs the tools that other scripts need. They read this file by `source`.

# Installs Debian packages. Each argument is FILE:PACKAGE. A package is installed if there is no
# command and no file of the name FILE. Does nothing on a system without apt-get.
install_missing() {
    local missing=() pair as_root lock
    command -v apt-get >/dev/null || return 0
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || [ -e "${pair%%:*}" ] || missing+=("${pair#*:}")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    # apt-get fails if another script runs it at the same time.
    exec {lock}>"${TMPDIR:-/tmp}/grundy-packages.lock"
    flock "$lock"
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    exec {lock}>&-
}

# Installs node and npm.
install_node() {
    install_missing node:nodejs npm:npm
}

# Installs the browser of the page tests, with a font for Chinese.
install_browser() {
    install_missing "${CHROMIUM:-/usr/bin/chromium}:chromium" \
        /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc:fonts-noto-cjk
}

# Chooses a compiler for a target and writes its command to the array `cargo`. It is that of rustup
# if the target is installed there. Otherwise it is that of Debian, which also compiles the standard
# library. The second argument names the crates of that library.
choose_cargo() {
    if rustup target list --installed 2>/dev/null | grep -qx "$1"; then
        cargo=(cargo)
        return
    fi
    # Other packages have the same commands, so the files are those that dpkg keeps of a package.
    install_missing /var/lib/dpkg/info/{rustc-web.list:rustc-web,cargo-web.list:cargo-web,rust-web-src.list:rust-web-src}
    cargo=(env -u RUSTUP_TOOLCHAIN RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo -Z "build-std=$2")
}

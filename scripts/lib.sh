# shellcheck shell=bash
# Functions common to scripts/demo, scripts/check and .ci/run. Source it. Sets `root`, the top of the repository.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Debian packages, each as package or command:package (not needed if the command exists).
# shellcheck disable=SC2034  # used by the scripts that source this file
{
    packages_build=(cmake:cmake pkg-config:pkg-config libsimde-dev libhwloc-dev libjansson-dev libexpat1-dev
        libcairo2-dev)
    packages_check=(libcmocka-dev libbenchmark-dev)
    packages_peers=(libbox2d-dev libchipmunk-dev)
    packages_ci=(clang:clang clang-tidy:clang-tidy clang-format:clang-format python3:python3
        libclang-rt-dev libomp-dev shellcheck:shellcheck valgrind:valgrind
        aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-aarch64:qemu-user)
}

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Prints the missing packages. Without dpkg it can only look for commands; CMake finds the rest.
missing_packages() {
    local entry name
    for entry in "$@"; do
        name=${entry#*:}
        if [[ $entry == *:* ]]; then
            have "${entry%%:*}" || say "$name"
        elif have dpkg-query; then
            dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null | grep -q '^installed' || say "$name"
        fi
    done
}

# Prints what is missing to compile C, and C++ if the argument is c++; any compiler that exists will do.
compiler_packages() {
    have "${CC:-cc}" || have gcc || have clang || say gcc
    if [[ $1 == c++ ]]; then
        have "${CXX:-c++}" || have g++ || have clang++ || say g++
    fi
    # gcc only recommends the headers of the C library
    [[ -e /usr/include/stdlib.h ]] || say libc6-dev
    # gcc includes OpenMP, clang does not
    if { have "${CC:-cc}" && "${CC:-cc}" --version | grep -q clang; } || { ! have cc && ! have gcc && have clang; }; then
        say libomp-dev
    fi
    have ninja || have make || say ninja-build
}

# Runs apt-get quietly; shows its output only if it fails.
apt_quietly() {
    local log status=0
    local -a as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    log=$(mktemp)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" \
        >"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) || tail -n 15 "$log" >&2
    rm -f "$log"
    return "$status"
}

may_install() {
    have apt-get || return 1
    ((EUID == 0)) || { have sudo && sudo -n true 2>/dev/null; }
}

# ensure_packages required|optional ENTRY...
# Installs what is missing, or prints what to install; exits if a required package is missing.
ensure_packages() {
    local need=$1
    shift
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} > 0)) || return 0

    if may_install; then
        say "Installing ${missing[*]}"
        # lists that are there already may do where some source cannot be reached
        apt_quietly update || say "apt-get could not update all of its lists" >&2
        if apt_quietly install -y --no-install-recommends "${missing[@]}"; then
            return 0
        fi
        say "apt-get could not install all of: ${missing[*]}" >&2
    else
        {
            say "These Debian packages are missing, and this user may not install them:"
            printf '    %s\n' "${missing[@]}"
            say "Install them with:  sudo apt-get install ${missing[*]}"
        } >&2
    fi
    if [[ $need == required ]]; then
        exit 1
    fi
    say "Going on without them: they are optional." >&2
}

processors() {
    nproc 2>/dev/null || say 1
}

# Whether build/PRESET is configured. Deletes a build that was configured at another location: the repository was moved,
# so all paths in it are wrong.
configured() {
    local dir=$root/build/$1
    if [[ -e $dir && ! -w $dir ]]; then
        fail "$dir is not writable for this user; remove it, or run as the user who made it."
    fi
    if [[ -e $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
        rm -rf "$dir"
    fi
    [[ -e $dir/CMakeCache.txt && (-e $dir/build.ninja || -e $dir/Makefile) ]]
}

# configure_preset PRESET [-DNAME=VALUE...]
# Configures build/PRESET unless it is configured with these values. Quiet unless it fails.
configure_preset() {
    local preset=$1 needed=0 setting
    shift
    local dir=$root/build/$preset
    configured "$preset" || needed=1
    for setting in "$@"; do
        # -DNAME=VALUE is NAME:TYPE=VALUE in the cache
        setting=${setting#-D}
        ((needed)) || grep -qE "^${setting%%=*}:[A-Z]+=${setting#*=}\$" "$dir/CMakeCache.txt" || needed=1
    done
    ((needed)) || return 0

    # an existing cache already has its generator
    if [[ ! -e $dir/CMakeCache.txt ]] && have ninja; then
        export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
    fi
    mkdir -p "$dir"
    quietly "$dir/configure.log" cmake -S "$root" --preset "$preset" "$@"
}

# build_preset PRESET [TARGET...]
build_preset() {
    local preset=$1
    shift
    local -a targets=()
    (($# == 0)) || targets=(--target "$@")
    quietly "$root/build/$preset/build.log" \
        cmake --build "$root/build/$preset" --parallel "$(processors)" "${targets[@]}"
}

# quietly LOG COMMAND... : writes the output to LOG; if the command fails, shows the end of it and exits.
quietly() {
    local log=$1
    shift
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 40 "$log" >&2
        fail "failed: $* (all of it: $log)"
    fi
}

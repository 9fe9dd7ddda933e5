# For scripts that try okra in a system of its own, to be read with `.`: a folder that debootstrap has filled with this machine's own release, with
# the mirrors and the proxy that apt has here. Takes root; what is mounted there is gone with the command that runs in it. $here is this folder.
# shellcheck shell=sh disable=SC2154 # it comes from there

# Whether a system can be made here; where it cannot, the reason on standard output. Debian's package is installed where there is none.
can_make_system() {
    if [ "$(id -u)" != 0 ]; then
        echo "it takes root"
    elif ! unshare --mount true 2> /dev/null; then
        echo "this root may not mount"
    elif ! command -v debootstrap > /dev/null && ! "$here/../../cmake/setup.sh" fresh > /dev/null 2>&1; then
        echo "debootstrap is missing, and apt cannot install it"
    elif ! command -v debootstrap > /dev/null; then
        echo "debootstrap is missing"
    else
        return 0
    fi
    return 1
}

# Where this system has its packages from, as lines for sources.list.
list_sources() {
    for origin in Debian Ubuntu; do
        # shellcheck disable=SC2016 # apt fills these in
        apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' "Origin: $origin"
    done
}

# make_system ROOT [PACKAGE,..]: the smallest system there is, and those packages.
make_system() {
    suite=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
    sources=$(list_sources)
    mirror=$(echo "$sources" | awk -v suite="$suite" '$3 == suite { print $2; exit }')
    [ -n "$mirror" ] || { echo "apt knows no mirror of $suite here: run 'apt-get update'" >&2; return 1; }
    # apt has a proxy in its configuration, debootstrap in its environment.
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    env ${http_proxy:+"http_proxy=$http_proxy"} debootstrap --variant=minbase ${2:+--include="$2"} "$suite" "$1" "$mirror" || return
    echo "$sources" > "$1/etc/apt/sources.list"
    # Programs that find a proxy are not in there.
    apt-config dump | grep '^Acquire::' | grep -v 'Auto-Detect' > "$1/etc/apt/apt.conf.d/99machine"
}

# in_system ROOT COMMAND..: runs it in there, with a namespace of its own for what has to be mounted, and nothing of this environment but a proxy.
in_system() {
    root=$1
    shift
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    # shellcheck disable=SC2016 # the inner shell expands it
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb ${http_proxy:+"http_proxy=$http_proxy"} \
        unshare --mount --propagation private sh -c '
            root=$1
            shift
            mount --bind "$root" "$root" && # what is in there may have namespaces of its own: / is a mount then
                mount -t proc proc "$root/proc" && mount -t sysfs sys "$root/sys" && mount --rbind /dev "$root/dev" && exec chroot "$root" "$@"' sh "$root" "$@"
}

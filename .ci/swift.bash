# Finds Swift 6.1 or later for the scripts that source this file. If there is none, prints the command that installs it.
#
# Requires `root`, the folder of the package. Defines `fail`, `need_sqlite` and `build`.

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# If Swift is not in the PATH, look in its usual locations.
if ! command -v swift >/dev/null 2>&1; then
  for folder in "${SWIFTLY_BIN_DIR:-}" "${HOME:-}/.local/share/swiftly/bin" "${HOME:-}/.swiftly/bin" \
    /usr/share/swift/usr/bin /usr/libexec/swift/bin /opt/*/usr/bin /usr/local/*/usr/bin; do
    if [ -n "$folder" ] && [ -x "$folder/swift" ]; then
      PATH="$folder:$PATH"
      break
    fi
  done
fi

case "$(uname -s)" in
Darwin) install_swift='curl -fsSLO https://download.swift.org/swiftly/darwin/swiftly.pkg && installer -pkg swiftly.pkg -target CurrentUserHomeDirectory && ~/.swiftly/bin/swiftly init --assume-yes' ;;
*) install_swift='curl -fsSL "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz" | tar xz -C /tmp swiftly && /tmp/swiftly init --assume-yes' ;;
esac

command -v swift >/dev/null 2>&1 ||
  fail "Graft needs Swift 6.1 or later, but there is no Swift. This line installs it, without root:" "" "    $install_swift"

swift_version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
swift_major=${swift_version%%.*}
swift_minor=${swift_version#*.}
if [ -z "$swift_version" ]; then
  fail "'swift --version' prints no version. This line installs a Swift that works, without root:" "" "    $install_swift"
elif [ "$swift_major" -lt 6 ] || { [ "$swift_major" -eq 6 ] && [ "$swift_minor" -lt 1 ]; }; then
  fail "Graft needs Swift 6.1 or later; this is $swift_version. This line installs it, without root:" "" "    $install_swift"
fi

# SwiftPM and Clang keep caches in the home folder. If it is not writable, use a folder in the package instead.
if [ -z "${HOME:-}" ] || [ ! -w "$HOME" ]; then
  mkdir -p "$root/.build/home"
  export HOME="$root/.build/home"
fi

# End immediately after a crash, without collecting a backtrace.
export SWIFT_BACKTRACE=enable=no

# need_sqlite: installs the headers of SQLite if they are missing and this user may install packages. Otherwise prints the command that
# installs them. Apple's SDKs contain the headers. Only GraftSQLite needs them, not a package that imports Graft alone.
need_sqlite() {
  [ "$(uname -s)" = Linux ] || return 0
  if [ -e /usr/include/sqlite3.h ] || pkg-config --exists sqlite3 2>/dev/null; then return 0; fi
  local install="apt-get update && apt-get install -y libsqlite3-dev" sudo=
  if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    if [ -z "$sudo" ] || $sudo true 2>/dev/null; then
      echo "The headers of SQLite are missing: installing libsqlite3-dev"
      if $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libsqlite3-dev; then
        return 0
      fi
    fi
  fi
  fail "The headers of SQLite are missing. On Debian and Ubuntu this line installs them:" "" "    sudo sh -c '$install'"
}

# build ARGUMENTS: runs swift build. If it fails because system libraries are missing, prints the command that installs them.
build() {
  local log status=0
  log=$(mktemp "${TMPDIR:-/tmp}/graft-build.XXXXXX")
  { swift build --package-path "$root" "$@" 2>&1 || echo "failed" >"$log.status"; } | tee "$log"
  if [ -e "$log.status" ]; then
    status=1
    if grep -qE 'crt1\.o|cannot find -l|unable to find library|invalid linker name' "$log" &&
      [ "$(uname -s)" = Linux ]; then
      printf '%s\n' "" "A system library seems to be missing. On Debian and Ubuntu this line installs them:" "" \
        "    apt-get update && apt-get install -y binutils gcc libc6-dev libstdc++-12-dev libcurl4-openssl-dev libxml2-dev zlib1g-dev libsqlite3-dev" >&2
    fi
  fi
  rm -f "$log" "$log.status"
  return "$status"
}

# Finds a JDK and runs on it.
#
#   JAVA_HOME     the JDK to prefer
#   LIQUID_JDKS   folders to search for JDKs instead of the usual ones, separated by colons

least=21
kind=JDK

fail() {
  printf 'liquid: %s\n' "$1" >&2
  exit 1
}

# The feature version of the JDK in a folder, or 0 if there is none; without a compiler it is none,
# unless kind says that a runtime is enough.
feature_version() {
  version=0
  if [ -x "$1/bin/java" ] && [ -r "$1/release" ] && { [ "$kind" != JDK ] || [ -x "$1/bin/javac" ]; }; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  printf '%s\n' "${version:-0}"
}

suits() {
  [ "$(feature_version "$1")" -ge "$least" ]
}

# The newest JDK in the usual folders.
newest_jdk() {
  newest=
  newest_version=$((least - 1))
  if [ -n "${LIQUID_JDKS:-}" ]; then
    IFS=:
    set -f
    set -- $LIQUID_JDKS
    set +f
    unset IFS
  else
    set -- /usr/lib/jvm /usr/java /opt "$HOME/.sdkman/candidates/java" "$HOME/.jdks" \
      /Library/Java/JavaVirtualMachines
  fi
  for parent in "$@"; do
    for jdk in "$parent"/* "$parent"/*/Contents/Home; do
      version=$(feature_version "$jdk")
      if [ "$version" -gt "$newest_version" ]; then
        newest=$jdk
        newest_version=$version
      fi
    done
  done
  printf '%s\n' "$newest"
}

# JAVA_HOME if it suits, else the JDK on the PATH if it suits, else the newest installed.
find_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && suits "$JAVA_HOME"; then
    printf '%s\n' "$JAVA_HOME"
    return
  fi
  if on_path=$(command -v java); then
    on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
    if suits "$on_path"; then
      printf '%s\n' "$on_path"
      return
    fi
  fi
  newest_jdk
}

require_jdk() {
  jdk=$(find_jdk)
  [ -n "$jdk" ] || fail "needs a $kind of $least or newer, but found none in JAVA_HOME, on the PATH or in ${LIQUID_JDKS:-the usual folders}. Install one or set JAVA_HOME."
}

# Options of the JVM for the command line, of which one thread works at a time and most runs are
# short. The second compiler, which costs up to half of a run, makes less code of as many methods. The
# heap begins with more than a sixty-fourth of the memory, half of it for what does not last.
command_line_options="-XX:+UseSerialGC -XX:InitialRAMPercentage=3 -XX:NewRatio=1 \
  -XX:+IgnoreUnrecognizedVMOptions -XX:InlineSmallCode=1000 -XX:FreqInlineSize=100"

# Runs a main class on the JDK found: run_java CLASSPATH CLASS [ARGUMENT...]. The options of the JVM
# are in java_options, and one that may hold spaces in cache_option.
run_java() {
  classpath=$1
  shift
  # A JVM knows only the paths that its locale can express.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
  terminal=false
  [ ! -t 2 ] || terminal=true
  exec "$jdk/bin/java" ${java_options:-} ${cache_option:+"$cache_option"} \
    --enable-native-access=ALL-UNNAMED -Dliquid.terminal="$terminal" \
    -Dliquid.launcher="$(readlink -f "$0")" -cp "$classpath" "$@"
}

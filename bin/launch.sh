# What bin/liquid and bin/liquid-bench share: finds a JDK, builds what has changed, and runs.
#
#   JAVA_HOME     the JDK to prefer
#   LIQUID_JDKS   folders to search for JDKs instead of the usual ones, separated by colons

least=21

fail() {
  printf 'liquid: %s\n' "$1" >&2
  exit 1
}

# The feature version of the JDK in a folder, or 0 if there is none that can compile.
feature_version() {
  version=0
  if [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
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

# Whether what was built is older than what it was built from, or has gone.
is_stale() {
  [ -r "$classpath_file" ] && [ -e "$stamp" ] || return 0
  changed=$(find "$root"/pom.xml "$root"/liquid-*/pom.xml "$root"/liquid-*/src/main \
    -newer "$stamp" 2>/dev/null | head -n 1)
  [ -z "$changed" ] || return 0
  IFS=:
  set -f
  for entry in $(cat "$classpath_file"); do
    [ -e "$entry" ] || return 0
  done
  return 1
}

check_maven() {
  command -v mvn >/dev/null || fail "needs Maven 3.8 or newer to build itself, but there is no mvn on the PATH."
  mvn_version=$(mvn -B -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9]*\.[0-9]*\).*/\1/p')
  case $mvn_version in
    [012].* | 3.[0-7]) fail "needs Maven 3.8 or newer to build itself, but mvn is $mvn_version." ;;
  esac
}

# Copies Maven's output to the log, and shows each module as its build begins: on one line of a
# terminal, which is written over, else on a line of its own.
show_progress() {
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      '[INFO] Building Liquid'*' ['*']'*)
        step=${line##*\[}
        name=${line#'[INFO] Building '}
        if [ -t 2 ]; then
          printf '\r  [%s] %-30s' "${step%%]*}" "${name%% [0-9]*}" >&2
        else
          printf '  [%s] %s\n' "${step%%]*}" "${name%% [0-9]*}" >&2
        fi
        ;;
    esac
  done >"$log"
  [ ! -t 2 ] || printf '\r%40s\r' '' >&2
}

# Runs Maven. A file holds its exit status, which a pipe would hide.
run_maven() {
  (
    status=0
    cd "$root" && mvn -B package ${profile:+-P"$profile"} -pl "$module" -am \
      -Dmaven.test.skip=true -Denforcer.skip=true 2>&1 || status=$?
    printf '%s\n' "$status" >"$stamp.status"
  ) | show_progress
  [ "$(cat "$stamp.status")" = 0 ]
}

# Copies the libraries beside what was built: Maven keeps them where other users may not read.
gather_libraries() {
  mkdir -p "$target/lib"
  gathered=
  IFS=:
  set -f
  for entry in $(cat "$classpath_file"); do
    case $entry in
      "$root"/*) ;;
      *)
        cp "$entry" "$target/lib/"
        entry=$target/lib/${entry##*/}
        ;;
    esac
    gathered=$gathered${gathered:+:}$entry
  done
  set +f
  unset IFS
  printf '%s' "$gathered" >"$classpath_file"
}

build() {
  export JAVA_HOME="$jdk"
  if ! mkdir -p "$target" 2>/dev/null || [ ! -w "$target" ]; then
    fail "must be built by a user who may write $target, because it was not built yet or its sources have changed."
  fi
  check_maven
  : >"$stamp.new"
  printf 'Building Liquid (first use, or its sources changed); this takes a minute or two.\n' >&2
  if run_maven; then
    gather_libraries
    mv "$stamp.new" "$stamp"
    printf 'Built.\n' >&2
  else
    cat "$log" >&2
    fail "the build failed; its output above is also in $log"
  fi
}

# Runs a main class of a module, with arguments: launch MODULE CLASS [ARGUMENT...]. The options of
# the JVM are in java_options.
launch() {
  module=$1
  main=$2
  shift 2
  target=$root/$module/target
  classpath_file=$target/classpath
  stamp=$target/built
  log=$target/build.log

  jdk=$(find_jdk)
  [ -n "$jdk" ] || fail "needs a JDK of $least or newer, but found none in JAVA_HOME, on the PATH or in ${LIQUID_JDKS:-the usual folders}. Install one or set JAVA_HOME."
  if (is_stale); then
    build
  fi
  # A JVM knows only the paths that its locale can express.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
  terminal=false
  [ ! -t 2 ] || terminal=true
  exec "$jdk/bin/java" ${java_options:-} --enable-native-access=ALL-UNNAMED \
    -Dliquid.terminal="$terminal" \
    -cp "$target/$module.jar:$(cat "$classpath_file")" "$main" "$@"
}

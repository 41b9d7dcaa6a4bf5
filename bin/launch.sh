# What the programs in bin share: finds a JDK, builds a module if its sources are newer, and runs.
# In an archive made by bin/archive there is nothing to build, and a runtime is enough.
#
#   JAVA_HOME     the JDK to prefer
#   LIQUID_JDKS   folders to search for JDKs instead of the usual ones, separated by colons
root=$(dirname "$(dirname "$(readlink -f "$0")")")
need=JDK
[ ! -d "$root/lib" ] || need='Java runtime'

fail() {
  printf 'liquid: %s\n' "$1" >&2
  exit 1
}

# For a program without options: says what it does if that is asked, and refuses all else.
explain() {
  case $# in 0) return ;; esac
  case $1 in
    -h | --help)
      sed -n '2,/^[^#]/s/^# //p' "$0"
      exit 0
      ;;
  esac
  fail "${0##*/} takes no arguments, but was given: $*"
}

# Whether a folder holds a JDK of 21 or newer. Sets version.
suits() {
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null) || version=
  [ -x "$1/bin/java" ] && [ "${version:-0}" -ge 21 ] && { [ "$need" != JDK ] || [ -x "$1/bin/javac" ]; }
}

# Sets jdk: JAVA_HOME, the one on the PATH, or the first of the usual folders that suits.
find_jdk() {
  on_path=$(command -v java || :)
  on_path=${on_path:+$(dirname "$(dirname "$(readlink -f "$on_path")")")}
  usual=/usr/lib/jvm:/usr/java:/opt:$HOME/.sdkman/candidates/java:$HOME/.jdks:/Library/Java/JavaVirtualMachines
  IFS=:
  set -- ${LIQUID_JDKS:-$usual}
  unset IFS
  for jdk in "${JAVA_HOME:-}" "$on_path"; do ! suits "$jdk" || return 0; done
  for folder in "$@"; do
    for jdk in "$folder"/* "$folder"/*/Contents/Home; do ! suits "$jdk" || return 0; done
  done
  fail "needs a $need of 21 or newer, but found none in JAVA_HOME, on the PATH or in ${LIQUID_JDKS:-the usual folders}. Install one or set JAVA_HOME."
}

# Builds a module: its jar, and its libraries in target/lib, where other users may read them.
build() {
  mkdir -p "$target" 2>/dev/null && [ -w "$target" ] ||
    fail "must be built by a user who may write $target, because it was not built yet or its sources have changed."
  command -v mvn >/dev/null ||
    fail 'needs Maven 3.8 or newer to build itself, but there is no mvn on the PATH.'
  printf 'Building Liquid (first use, or its sources changed); this takes a minute or two.\n' >&2
  rm -rf "$target/lib"
  : >"$target/built.new"
  (cd "$root" && JAVA_HOME=$jdk mvn -B package ${profile:+-P"$profile"} -pl ":$module" -am \
    -Dmaven.test.skip=true -Dmdep.skip=false 2>&1 || echo 'BUILD FAILED') | tee "$target/build.log" |
    sed -n 's/^\[INFO\] Building \(Liquid.*[^ ]\)  *[^ ][^ ]*  *\(\[[0-9/]*\]\)$/  \2 \1/p' >&2
  if tail -n 1 "$target/build.log" | grep -q 'BUILD FAILED'; then
    cat "$target/build.log" >&2
    fail "the build failed; its output above is also in $target/build.log"
  fi
  mv "$target/built.new" "$target/built"
}

# Builds a module if that is due: prepare FOLDER. Sets jdk, target and classpath.
prepare() {
  find_jdk
  if [ "$need" != JDK ]; then
    target=$root/lib classpath=$root/lib/*
    return
  fi
  module=${1##*/} target=$root/$1/target
  classpath=$target/$module.jar:$target/lib/*
  if ! [ -e "$target/built" ] || ! [ -e "$target/$module.jar" ] || [ -n "$(find "$root" -name target -prune -o -name .git -prune -o \
    \( -path '*/src/main/*' -o -name pom.xml \) -newer "$target/built" -print | head -n 1)" ]; then
    build
    practise
    printf 'Built.\n' >&2
  fi
}

# Lets a JVM of 25 or newer note what the command line loads and compiles (JEP 483, 514, 515): it then
# starts in half the time. Without notes, or where they are out of date, everything runs as it would.
practise() {
  [ "$module" = liquid-cli ] && [ "$version" -ge 25 ] || return 0
  (run -XX:AOTCacheOutput="$target/practice.aot" -cp "$classpath" \
    io.github.liquidscheduler.cli.LiquidCommand demo) >/dev/null 2>&1 ||
    rm -f "$target/practice.aot"
}

# Options of the JVM for the command line, of which one thread works at a time and most runs are short:
# the second compiler, which costs up to half of a run, makes less code of as many methods, and the
# heap begins with more than a sixty-fourth of the memory, half of it for what does not last.
command_line_options='-XX:+UseSerialGC -XX:InitialRAMPercentage=3 -XX:NewRatio=1
  -XX:+IgnoreUnrecognizedVMOptions -XX:InlineSmallCode=1000 -XX:FreqInlineSize=100'

# Runs a JVM, with java_options.
run() {
  # A JVM knows only the paths that its locale can express.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
  terminal=false
  [ ! -t 2 ] || terminal=true
  exec "$jdk/bin/java" ${java_options:-} --enable-native-access=ALL-UNNAMED \
    -Dliquid.terminal="$terminal" -Dliquid.launcher="$(readlink -f "$0")" "$@"
}

# Runs a main class of a module, with arguments: launch FOLDER CLASS [ARGUMENT...]. The options of the
# JVM are in java_options, its profile of the build in profile.
launch() {
  prepare "$1"
  shift
  set -- -cp "$classpath" "$@"
  if [ -r "$target/practice.aot" ] && [ "$version" -ge 25 ]; then
    set -- -Xlog:aot*=off -XX:AOTCache="$target/practice.aot" "$@"
  fi
  run "$@"
}

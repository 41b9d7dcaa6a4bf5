# What bin/liquid, bin/liquid-bench and bin/archive share: builds what has changed, and runs.
. "$root/bin/jdk.sh"

# Whether what was built is older than what it was built from, or has gone.
is_stale() {
  [ -r "$classpath_file" ] && [ -e "$stamp" ] || return 0
  changed=$(find "$root"/pom.xml "$root"/liquid-*/pom.xml "$root"/liquid-*/src/main \
    "$root"/integrations/*/pom.xml "$root"/integrations/*/src/main \
    "$root"/lab/*/pom.xml "$root"/lab/*/src/main \
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

# A trace on which to watch the command line at work.
practice_trace() {
  printf 'job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n'
  job=0
  while [ "$job" -lt 20000 ]; do
    duration=$((job * 7919 % 5000 + 60))
    printf '%d,%d,%d,%d,any,%d,0\n' "$job" $((job % 40 / 36 * 3 + 1)) $((job * 2)) "$duration" "$duration"
    job=$((job + 1))
  done
}

# Lets the JVM note which classes the command line loads and which methods it calls most, from
# version 25 on (JEP 483, 514, 515): later runs then start in half the time and spend less on
# compiling. Without these notes, or where they are out of date, everything runs as it would.
practise() {
  rm -f "$cache" "$cache.jdk"
  [ "$module" = liquid-cli ] && [ "$(feature_version "$jdk")" -ge 25 ] || return 0
  printf 'Practising, so that later runs start faster.\n' >&2
  practice_trace >"$target/practice.csv"
  (
    java_options=$command_line_options
    cache_option=-XX:AOTCacheOutput=$cache
    run_java "$target/${module##*/}.jar:$(cat "$classpath_file")" \
      io.github.liquidscheduler.cli.LiquidCommand simulate \
      --trace "$target/practice.csv" --format tiresias --cluster 200x8xA100
  ) >"$target/practice.log" 2>&1 && printf '%s' "$jdk" >"$cache.jdk" || rm -f "$cache"
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
    practise
    printf 'Built.\n' >&2
  else
    cat "$log" >&2
    fail "the build failed; its output above is also in $log"
  fi
}

# Builds a module if that is due: prepare MODULE, the module's folder. Sets jdk, target, classpath_file and cache.
prepare() {
  module=$1
  target=$root/$module/target
  classpath_file=$target/classpath
  stamp=$target/built
  log=$target/build.log
  cache=$target/practice.aot

  require_jdk
  if (is_stale); then
    build
  fi
}

# Runs a main class of a module, with arguments: launch MODULE CLASS [ARGUMENT...]. The options of
# the JVM are in java_options.
launch() {
  prepare "$1"
  shift
  # Only the JVM that wrote it reads it.
  if [ -r "$cache" ] && [ "$(cat "$cache.jdk" 2>/dev/null)" = "$jdk" ]; then
    cache_option=-XX:AOTCache=$cache
    java_options="${java_options:-} -Xlog:aot*=off"
  fi
  run_java "$target/${module##*/}.jar:$(cat "$classpath_file")" "$@"
}

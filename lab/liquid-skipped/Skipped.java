import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints which tests a build did not run, and what would enable them: those that say so in the
 * reports of Surefire, and those whose tag the level of the build leaves out.
 */
class Skipped {
  private static final Pattern TAG = Pattern.compile("(?m)^ *@Tag\\(\"([a-z-]+)\"\\)");
  private static final Pattern SKIPPED = Pattern.compile("<skipped(?: message=\"([^\"]*)\")?");

  private static final Map<String, String> NEEDS =
      Map.of(
          "browser", "chromium and chromedriver",
          "etcd", "etcd on the PATH",
          "launcher", "/bin/sh",
          "other-jvm", "other JVMs, which it starts",
          "public-data", "public data beside the checkout, in ../shared/data",
          "pytorch", "a python3 with PyTorch",
          "slow", "minutes",
          "slurm", "Slurm's daemons and munge");

  private final Path root;
  private final Map<String, Set<String>> classes = new TreeMap<>();

  private Skipped(Path root) {
    this.root = root;
  }

  /** Takes the folder of the project, the level of the build, and when the build began. */
  public static void main(String[] arguments) throws IOException {
    Skipped skipped = new Skipped(Path.of(arguments[0]));
    if (arguments[1].equals("verify")) {
      skipped.readSources();
    }
    skipped.readReports(Instant.parse(arguments[2]));
    skipped.print(arguments[1]);
  }

  private void readSources() throws IOException {
    read(
        file -> file.toString().contains("src/test/java") && file.toString().endsWith(".java"),
        (file, text) -> {
          boolean laboratory = root.relativize(file).startsWith("lab");
          if (laboratory && (text.contains("@Test") || text.contains("@Property"))) {
            add("-Pfull: tests of the laboratory", file);
          }
          TAG.matcher(text)
              .results()
              .map(tag -> tag.group(1))
              .filter(tag -> !laboratory && NEEDS.containsKey(tag))
              .forEach(tag -> add("-Pfull: needs " + NEEDS.get(tag), file));
        });
  }

  private void readReports(Instant since) throws IOException {
    read(
        file -> file.getFileName().toString().matches("TEST-.*\\.xml") && !isOlder(file, since),
        (file, text) -> SKIPPED.matcher(text).results().forEach(test -> add(reason(test), file)));
  }

  private static String reason(MatchResult test) {
    String message = test.group(1) == null ? "without a reason" : test.group(1);
    return message.replaceFirst("^.*(?:TestAbortedException|Assumption failed): ", "");
  }

  private static boolean isOlder(Path file, Instant since) {
    try {
      return Files.getLastModifiedTime(file).toInstant().isBefore(since);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(Predicate<Path> wanted, BiConsumer<Path, String> reader) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).filter(wanted).toList()) {
        reader.accept(file, Files.readString(file));
      }
    }
  }

  private void add(String reason, Path file) {
    String name = file.getFileName().toString().replaceFirst("\\.[a-z]*$", "");
    name = name.substring(name.lastIndexOf('.') + 1);
    classes.computeIfAbsent(reason, any -> new TreeSet<>()).add(name);
  }

  private void print(String level) {
    System.out.println("Not run by this build:");
    classes.forEach(
        (reason, names) ->
            System.out.printf("  %s (%d)%n%s", reason, names.size(), wrapped(List.copyOf(names))));
    if (level.equals("verify")) {
      System.out.println(
          "  -Pfull: more than 100 tries of a law\nTo run these: mvn -B -Pfull verify");
    }
  }

  private static String wrapped(List<String> names) {
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder("   ");
    for (String name : names) {
      if (line.length() + name.length() > 98) {
        text.append(line).append('\n');
        line = new StringBuilder("   ");
      }
      line.append(' ').append(name);
    }
    return text.append(line).append('\n').toString();
  }
}

package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code bin/liquid} in a project, with JDKs and a Maven, that are a few lines of shell. */
@Tag("launcher")
class LauncherTest {
  private static final Path SHELL = Path.of("/bin/sh");

  /** What a JVM does that is asked for its notes. */
  private static final String WRITES_NOTES =
      "for a in \"$@\"; do case $a in -XX:AOTCacheOutput=*) : >\"${a#*=}\" ;; esac; done";

  private static final List<String> TOOLS =
      List.of(
          "cat",
          "chmod",
          "cp",
          "dirname",
          "find",
          "grep",
          "gzip",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "tail",
          "tar",
          "tee");

  @TempDir Path folder;

  private Path project;
  private Path jdks;
  private Path tools;
  private Path launcher;

  record Outcome(int status, String output, String errors) {}

  @BeforeEach
  void layOutAProject() throws IOException {
    assumeTrue(Files.isExecutable(SHELL), "needs /bin/sh");
    folder = folder.toRealPath();
    project = Files.createDirectories(folder.resolve("project"));
    jdks = Files.createDirectories(folder.resolve("jdks"));
    tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : TOOLS) {
      script(tools.resolve(tool), "exec " + onPath(tool) + " \"$@\"");
    }
    launcher = Files.createDirectories(project.resolve("bin")).resolve("liquid");
    Path bin = Command.project().resolve("bin");
    Files.copy(bin.resolve("liquid"), launcher);
    for (String script : List.of("launch.sh", "archive", "site")) {
      Files.copy(bin.resolve(script), launcher.resolveSibling(script));
    }
    Files.createDirectories(project.resolve("liquid-api/src/main"));
    Files.createDirectories(project.resolve("liquid-cli/src/main"));
    Files.writeString(project.resolve("liquid-api/pom.xml"), "");
    Files.writeString(project.resolve("liquid-cli/pom.xml"), "");
    Files.writeString(project.resolve("pom.xml"), "");
  }

  @Test
  void aJdkTooOldOnThePathIsPassedOverForANewerOneInstalled() throws Exception {
    Files.createSymbolicLink(
        tools.resolve("java"), jdk("seventeen", "17.0.15").resolve("bin/java"));
    jdk("twenty-one", "21.0.2");
    maven(0);

    assertThat(run("demo").output()).startsWith("twenty-one ");
  }

  @Test
  void javaHomeIsPreferredToANewerJdk() throws Exception {
    Path home = jdk("home", "21.0.2");
    jdk("newer", "25.0.3");
    maven(0);

    assertThat(run(launcher, folder, Map.of("JAVA_HOME", home.toString()), "demo").output())
        .startsWith("home ");
  }

  @Test
  void aRuntimeWithoutACompilerIsNoJdk() throws Exception {
    Files.delete(jdk("runtime", "25").resolve("bin/javac"));

    assertThat(run("demo").status()).isEqualTo(1);
  }

  @Test
  void noJdkAtAllIsOneClearLine() throws Exception {
    jdk("seventeen", "17.0.15");

    Outcome outcome = run("demo");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines())
        .singleElement()
        .asString()
        .startsWith("liquid: needs a JDK of 21 or newer, but found none")
        .contains(jdks.toString());
  }

  @Test
  void noMavenIsOneClearLine() throws Exception {
    jdk("jdk", "21");

    Outcome outcome = run("demo");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.errors().lines())
        .containsExactly(
            "liquid: needs Maven 3.8 or newer to build itself, but there is no mvn on the PATH.");
  }

  @Test
  void aFailedBuildShowsWhatMavenSaid() throws Exception {
    jdk("jdk", "21");
    maven(1);

    Outcome outcome = run("demo");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors()).contains("maven says so", "liquid: the build failed");
  }

  @Test
  void itShowsTheModulesItBuildsOnFirstUseAndThenOnlyAfterAChange() throws Exception {
    jdk("jdk", "21");
    maven(0);

    assertThat(run("demo").errors())
        .isEqualTo(
            """
            Building Liquid (first use, or its sources changed); this takes a minute or two.
              [1/2] Liquid API
              [2/2] Liquid Command Line
            Built.
            """);
    assertThat(run("demo").errors()).isEmpty();

    Path source = Files.writeString(project.resolve("liquid-api/src/main/Changed.java"), "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(10)));
    assertThat(run("demo").errors()).startsWith("Building");
  }

  @Test
  void aJdkThatCanPractisesOnceAndStartsFromItsNotes() throws Exception {
    jdk("jdk", "25", WRITES_NOTES);
    maven(0);

    Outcome first = run("demo");

    assertThat(first.output().lines()).startsWith("jdk in " + folder).contains(notes());
    Outcome second = run("demo");
    assertThat(second.errors()).isEmpty();
    assertThat(second.output()).isEqualTo(first.output());
  }

  @Test
  void wherePractisingFailsItRunsWithoutNotes() throws Exception {
    jdk("jdk", "25", WRITES_NOTES, "case \"$*\" in *AOTCacheOutput*) exit 1 ;; esac");
    maven(0);

    Outcome outcome = run("demo");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.output()).startsWith("jdk ").doesNotContain("AOTCache");
  }

  private String notes() {
    return "-XX:AOTCache=" + project + "/liquid-cli/target/practice.aot";
  }

  @Test
  void aUserWhoMayNotBuildIsToldSo() throws Exception {
    jdk("jdk", "21");
    maven(0);
    Files.writeString(project.resolve("liquid-cli/target"), "no folder");

    Outcome outcome = run("demo");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.errors().lines())
        .singleElement()
        .asString()
        .startsWith("liquid: must be built by a user who may write " + project);
  }

  @ParameterizedTest
  @CsvSource({"LC_ALL,C,C.UTF-8", "LANG,POSIX,C.UTF-8", "LC_ALL,de_DE.UTF-8,de_DE.UTF-8"})
  void everyPathIsALocalesPath(String variable, String locale, String expected) throws Exception {
    jdk("jdk", "21", "echo ${LC_ALL}");
    maven(0);

    assertThat(run(launcher, folder, Map.of(variable, locale), "demo").output().lines())
        .first()
        .isEqualTo(expected);
  }

  @Test
  void argumentsAndTheCallersFolderArriveThroughALink() throws Exception {
    jdk("jdk", "21");
    maven(0);
    Path elsewhere = Files.createDirectories(folder.resolve("else where"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("l"), Path.of("../project/bin/liquid"));

    Outcome outcome = run(link, elsewhere, Map.of(), "place", "--jobs", "my jobs.json", "");

    assertThat(outcome.output().lines())
        .containsExactly(
            "jdk in " + elsewhere,
            "-XX:+UseSerialGC",
            "-XX:InitialRAMPercentage=3",
            "-XX:NewRatio=1",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:InlineSmallCode=1000",
            "-XX:FreqInlineSize=100",
            "--enable-native-access=ALL-UNNAMED",
            "-Dliquid.terminal=false",
            "-Dliquid.launcher=" + launcher,
            "-cp",
            project + "/liquid-cli/target/liquid-cli.jar:" + project + "/liquid-cli/target/lib/*",
            "io.github.liquidscheduler.cli.LiquidCommand",
            "place",
            "--jobs",
            "my jobs.json",
            "");
  }

  @Test
  void anArchiveRunsWhereverItIsUnpackedOnARuntimeWithoutACompiler() throws Exception {
    Path home = jdk("jdk", "21");
    maven(0);
    Outcome packed = pack();
    Files.delete(home.resolve("bin/javac"));

    Path archive = Path.of(packed.output().strip());
    assertThat(archive).isEqualTo(project.resolve("liquid-cli/target/liquid-1.2.tar.gz"));
    run(tools.resolve("tar"), folder, Map.of(), "-xzf", archive.toString());
    Path unpacked = folder.resolve("liquid-1.2");
    assertThat(run(unpacked.resolve("bin/liquid"), folder, Map.of(), "demo").output().lines())
        .contains(unpacked + "/lib/*", "io.github.liquidscheduler.cli.LiquidCommand", "demo");
    assertThat(unpacked.resolve("lib/library.jar")).exists();
    assertThat(unpacked.resolve("lib/liquid-cli.jar")).exists();
    assertThat(unpacked.resolve("NOTICE")).exists();
  }

  @Test
  void anArchiveNeedsARuntimeNewEnough() throws Exception {
    Path home = jdk("jdk", "21");
    maven(0);
    pack();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");

    Path unpacked = project.resolve("liquid-cli/target/archive/liquid-1.2/bin/liquid");
    Outcome outcome = run(unpacked, folder, Map.of(), "demo");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.errors()).startsWith("liquid: needs a Java runtime of 21 or newer");
  }

  @Test
  void programsWithoutOptionsExplainThemselvesAndDoNothingElse() throws Exception {
    for (String program : List.of("archive", "site")) {
      Path script = launcher.resolveSibling(program);
      Outcome help = run(script, folder, Map.of(), "--help");

      assertThat(help.status()).isZero();
      assertThat(help.output()).isNotBlank();
      assertThat(run(script, folder, Map.of(), "--now").errors())
          .startsWith("liquid: %s takes no arguments".formatted(program));
    }
    assertThat(project.resolve("liquid-cli/target")).doesNotExist();
  }

  private Outcome pack() throws Exception {
    Files.writeString(project.resolve("pom.xml"), "<project>\n  <version>1.2</version>\n");
    Files.writeString(project.resolve("LICENSE"), "");
    Files.writeString(project.resolve("NOTICE"), "");
    return run(launcher.resolveSibling("archive"), folder, Map.of());
  }

  private Outcome run(String... arguments) throws IOException, InterruptedException {
    return run(launcher, folder, Map.of(), arguments);
  }

  private Outcome run(
      Path script, Path workingFolder, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of(SHELL.toString(), script.toString()), Stream.of(arguments))
            .toList();
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workingFolder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("LIQUID_JDKS", jdks.toString());
    builder.environment().putAll(environment);
    int status = builder.start().waitFor();
    return new Outcome(status, Files.readString(output), Files.readString(errors));
  }

  /** A JDK whose java prints its name, its folder and its arguments, one to a line. */
  private Path jdk(String name, String version) throws IOException {
    return jdk(name, version, ":");
  }

  private Path jdk(String name, String version, String... first) throws IOException {
    Path home = jdks.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/javac"), "exit 1");
    script(
        home.resolve("bin/java"),
        String.join("\n", first),
        "echo \"" + name + " in $(pwd)\"",
        "for argument in \"$@\"; do echo \"$argument\"; done");
    return home;
  }

  private void maven(int status) throws IOException {
    Path target = project.resolve("liquid-cli/target");
    script(
        tools.resolve("mvn"),
        "echo '[INFO] Building Liquid API 0.1.0-SNAPSHOT          [1/2]'",
        "echo '[INFO] Building jar: liquid-api.jar'",
        "echo '[INFO] Building Liquid Command Line 0.1.0-SNAPSHOT [2/2]'",
        "echo maven says so",
        "mkdir -p " + target + "/lib",
        ": >>" + target + "/lib/library.jar",
        ": >>" + target + "/liquid-cli.jar",
        "exit " + status);
  }

  private static void script(Path file, String... lines) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path onPath(String tool) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(entry -> Path.of(entry, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }
}

package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and packages stay small enough to be read, and a type's name says which one is meant. */
class SizeTest {
  private static final int MOST_FILES = 25;
  private static final int MOST_LINES = 300;

  /** Codecs and commands: lists in which each file stands for itself. */
  private static final Set<String> FLAT_LISTS = Set.of("json", "cli");

  @Test
  void noPackageIsTooLarge() {
    Map<Path, Long> sizes = count(file -> file.resolveSibling(""));
    sizes.keySet().removeIf(folder -> FLAT_LISTS.contains(folder.getFileName().toString()));

    assertThat(sizes).isNotEmpty();
    assertThat(sizes)
        .allSatisfy(
            (folder, files) ->
                assertThat(files).as("files in %s", folder).isLessThanOrEqualTo(MOST_FILES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"liquid-api", "liquid-placement", "liquid-scheduler"})
  void noFileIsTooLarge(String module) {
    List<Path> files =
        SourceTree.typeFiles().stream()
            .filter(file -> file.startsWith(SourceTree.ROOT.resolve(module)))
            .toList();

    assertThat(files).isNotEmpty();
    assertThat(files)
        .filteredOn(file -> SourceTree.linesOfCode(SourceTree.read(file)) > MOST_LINES)
        .isEmpty();
  }

  @Test
  void commentsAndBlankLinesAreNoCode() {
    assertThat(SourceTree.linesOfCode("/** A. */\nclass A {\n\n  // b\n  int a; // c\n}\n"))
        .isEqualTo(3);
  }

  @Test
  void noTwoTypesHaveOneName() {
    Map<Path, Long> names = count(file -> file.getName(file.getNameCount() - 1));

    assertThat(names).isNotEmpty();
    assertThat(names).allSatisfy((name, files) -> assertThat(files).as("%s", name).isEqualTo(1));
  }

  private static Map<Path, Long> count(Function<Path, Path> key) {
    return SourceTree.typeFiles().stream().collect(groupingBy(key, TreeMap::new, counting()));
  }
}

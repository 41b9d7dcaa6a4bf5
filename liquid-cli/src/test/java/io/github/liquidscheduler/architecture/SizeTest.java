package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Packages stay small enough to be read, and a type's name says which one is meant. */
class SizeTest {
  private static final int MOST_FILES = 25;

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

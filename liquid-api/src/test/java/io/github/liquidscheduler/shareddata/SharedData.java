package io.github.liquidscheduler.shareddata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Public data sets that lie beside the project, in {@code ../shared/data}, and are no part of it.
 */
public final class SharedData {
  private SharedData() {}

  /**
   * Returns a file or folder of the data. Where it is missing, the test fails if the environment
   * sets {@code CI}, and is skipped elsewhere, naming what it needs.
   */
  public static Path file(String name) {
    Optional<Path> file =
        Stream.iterate(Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
            .map(folder -> folder.resolveSibling("shared/data").resolve(name))
            .filter(Files::exists)
            .findFirst();
    String needs = "needs ../shared/data/" + name;
    if (System.getenv("CI") != null) {
      assertThat(file).as(needs).isPresent();
    }
    assumeTrue(file.isPresent(), needs);
    return file.orElseThrow();
  }
}

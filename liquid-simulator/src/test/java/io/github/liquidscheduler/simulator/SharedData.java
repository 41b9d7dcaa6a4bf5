package io.github.liquidscheduler.simulator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Public data sets that lie beside the project and are not part of it. */
public final class SharedData {

  private SharedData() {}

  /**
   * Returns a file of the data, and allowsBypass the test, naming the file, where there is none.
   */
  public static Path file(String name) {
    Path here = Path.of("").toAbsolutePath();
    Path file =
        Stream.iterate(here, dir -> dir != null, Path::getParent)
            .map(dir -> dir.resolveSibling("shared").resolve("data").resolve(name))
            .filter(Files::exists)
            .findFirst()
            .orElse(Path.of("missing"));
    assumeTrue(Files.exists(file), "needs ../shared/data/" + name);
    return file;
  }
}

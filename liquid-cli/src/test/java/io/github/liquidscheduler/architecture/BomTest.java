package io.github.liquidscheduler.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BomTest {
  private static final Pattern MANAGED = Pattern.compile("<artifactId>(liquid-(?!bom)[a-z-]+)<");

  /** Published, but may change with every version. */
  private static final List<String> INCUBATING = List.of("liquid-rounds");

  @Test
  void theBomNamesWhatIsPublishedAndSettled() {
    List<String> named =
        MANAGED
            .matcher(SourceTree.read(SourceTree.ROOT.resolve("liquid-bom/pom.xml")))
            .results()
            .map(match -> match.group(1))
            .toList();

    assertThat(named).containsExactlyInAnyOrderElementsOf(published());
  }

  private static List<String> published() {
    return SourceTree.modules().stream()
        .filter(module -> !module.endsWith("liquid-bom"))
        .filter(BomTest::isPublished)
        .map(module -> module.getFileName().toString())
        .filter(name -> !INCUBATING.contains(name))
        .toList();
  }

  private static boolean isPublished(Path module) {
    String pom = SourceTree.read(module.resolve("pom.xml"));
    return !pom.contains("<maven.deploy.skip>true</maven.deploy.skip>");
  }
}

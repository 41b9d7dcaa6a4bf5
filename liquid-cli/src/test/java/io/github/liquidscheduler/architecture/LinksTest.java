package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between pages lead somewhere. */
class LinksTest {

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  @Test
  void everyLinkOfAPageLeadsToAFileAndAHeadingThatAreThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = LINK.matcher(withoutCode(page));
      while (links.find()) {
        if (!links.group(1).contains(":") && isBroken(page, links.group(1))) {
          broken.add(SourceTree.ROOT.relativize(page) + ": " + links.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void aLinkToAHeadingThatIsNotThereIsFound() {
    Path readme = SourceTree.ROOT.resolve("README.md");

    assertThat(isBroken(readme, "docs/concepts.md#glossary")).isFalse();
    assertThat(isBroken(readme, "docs/concepts.md#no-such-heading")).isTrue();
    assertThat(isBroken(readme, "docs/no-such-page.md")).isTrue();
  }

  @Test
  void everyPageIsInTheMenuOfTheSite() throws IOException {
    String menu = Files.readString(SourceTree.ROOT.resolve("src/site/site.xml"));
    Path docs = SourceTree.ROOT.resolve("docs");

    assertThat(pages())
        .filteredOn(page -> docs.equals(page.getParent()))
        .isNotEmpty()
        .extracting(page -> page.getFileName().toString().replace(".md", ".html"))
        .allSatisfy(page -> assertThat(menu).contains("href=\"" + page + "\""));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : List.of("docs", "lab", "liquid-rounds")) {
      try (Stream<Path> files = Files.walk(SourceTree.ROOT.resolve(folder))) {
        files.forEach(pages::add);
      }
    }
    try (Stream<Path> top = Files.list(SourceTree.ROOT)) {
      top.forEach(pages::add);
    }
    return pages.stream().filter(file -> file.toString().endsWith(".md")).toList();
  }

  private static boolean isBroken(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
    return !Files.exists(target) || (parts.length > 1 && !anchors(target).contains(parts[1]));
  }

  /** Returns the anchors of a page's headings, as they are made of them. */
  private static Set<String> anchors(Path page) {
    return HEADING
        .matcher(withoutCode(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(toSet());
  }

  private static String withoutCode(Path page) {
    try {
      return Files.readString(page).replaceAll("(?s)```.*?```", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on the architecture shows the stages and the modules that there are. */
class ArchitecturePageTest {
  private static final String SCHEDULER = Modules.ROOT_PACKAGE + ".scheduler.";
  private static final String PAGE = page("docs/architecture.md");
  private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
  private static final Pattern OURS = Pattern.compile("<artifactId>liquid-([a-z-]+)</artifactId>");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  @Test
  void thePageListsTheStagesInTheirOrder() {
    assertThat(firstCells("stage")).isEqualTo(madeByPipeline(SCHEDULER + "turn.Stage"));
  }

  @Test
  void thePageSaysWhatEachModuleKnows() {
    assertThat(known()).isEqualTo(declared());
  }

  /** Returns the names of the implementations that the pipeline makes, in the order of its text. */
  private static List<String> madeByPipeline(String type) {
    return Modules.CLASSES.get(SCHEDULER + "Pipeline").getConstructorCallsFromSelf().stream()
        .filter(call -> call.getTargetOwner().isAssignableTo(type))
        .sorted(Comparator.comparing(JavaAccess::getLineNumber))
        .map(JavaAccess::getTargetOwner)
        .map(JavaClass::getSimpleName)
        .filter(name -> !type.endsWith("." + name))
        .toList();
  }

  private static List<String> firstCells(String heading) {
    return rows(heading).map(row -> row[0].replace("`", "")).toList();
  }

  private static Map<String, Set<String>> known() {
    Map<String, Set<String>> known = new TreeMap<>();
    rows("module")
        .forEach(
            row ->
                known.put(
                    row[0].replace("`", "").replace("liquid-", ""),
                    Stream.of(row[2].split(", "))
                        .filter(name -> !name.isBlank())
                        .collect(toCollection(TreeSet::new))));
    return known;
  }

  /** Returns the modules that the build publishes or that are tools, and what of ours each uses. */
  private static Map<String, Set<String>> declared() {
    Map<String, Set<String>> declared = new TreeMap<>();
    MODULE
        .matcher(page("pom.xml"))
        .results()
        .map(module -> module.group(1))
        .filter(module -> !module.startsWith("lab/") && !module.contains("bom"))
        .forEach(
            module ->
                declared.put(
                    Path.of(module).getFileName().toString().replace("liquid-", ""),
                    uses(page(module + "/pom.xml"))));
    return declared;
  }

  private static Set<String> uses(String pom) {
    return DEPENDENCY
        .matcher(pom)
        .results()
        .map(MatchResult::group)
        .filter(entry -> !entry.contains("<scope>test</scope>"))
        .flatMap(entry -> OURS.matcher(entry).results())
        .map(name -> name.group(1))
        .collect(toCollection(TreeSet::new));
  }

  /** Returns the cells of the table whose first column has a heading, without those of the top. */
  private static Stream<String[]> rows(String heading) {
    String table = PAGE.substring(PAGE.indexOf("\n| " + heading + " |") + 1).split("\n\n", 2)[0];
    return table.lines().skip(2).map(row -> row.substring(2, row.length() - 2).split(" \\| ", -1));
  }

  private static String page(String file) {
    return SourceTree.read(SourceTree.ROOT.resolve(file));
  }
}

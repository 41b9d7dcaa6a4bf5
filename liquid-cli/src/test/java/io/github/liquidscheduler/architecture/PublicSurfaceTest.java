package io.github.liquidscheduler.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.github.liquidscheduler.architecture.Modules.API;
import static io.github.liquidscheduler.architecture.Modules.CLASSES;
import static io.github.liquidscheduler.architecture.Modules.ESTIMATOR;
import static io.github.liquidscheduler.architecture.Modules.PLACEMENT;
import static io.github.liquidscheduler.architecture.Modules.PLANNER;
import static io.github.liquidscheduler.architecture.Modules.ROUNDS;
import static io.github.liquidscheduler.architecture.Modules.SCHEDULER;
import static io.github.liquidscheduler.architecture.Modules.SIMULATOR;
import static io.github.liquidscheduler.architecture.Modules.livesIn;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What embedders can see of the library names nothing that they did not ask for. */
class PublicSurfaceTest {
  private static final DescribedPredicate<JavaClass> JDK =
      DescribedPredicate.describe(
          "belong to the JDK",
          type -> type.isPrimitive() || type.getPackageName().startsWith("java."));

  private static final Pattern EXPORT = Pattern.compile("exports ([a-z.]+);");

  private static final DescribedPredicate<JavaClass> DOOR_OF_PLACEMENT = doorOf(PLACEMENT);
  private static final DescribedPredicate<JavaClass> DOOR_OF_SCHEDULER = doorOf(SCHEDULER);
  private static final DescribedPredicate<JavaClass> DOOR_OF_ESTIMATOR = doorOf(ESTIMATOR);

  /** Of placement and scheduler together. */
  private static final int MOST_TYPES_OF_IMMEDIATE_MODE = 28;

  private static final int MOST_TYPES_OF_ESTIMATOR = 10;

  /** The modules that are built on the inner packages of placement. */
  private static final DescribedPredicate<JavaClass> INSIDERS =
      livesIn(PLACEMENT).or(livesIn(SCHEDULER)).or(livesIn(PLANNER)).or(livesIn(SIMULATOR));

  @Test
  void theApiShowsOnlyItselfAndTheJdk() {
    classes().that(livesIn(API)).should(new ShowOnly(JDK.or(livesIn(API)))).check(CLASSES);
  }

  @Test
  void roundsShowOnlyThemselvesAndTheApi() {
    classes()
        .that(livesIn(ROUNDS))
        .should(new ShowOnly(JDK.or(livesIn(API)).or(livesIn(ROUNDS))))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void placementShowsOnlyItsDoorAndTheApi() {
    classes()
        .that(DOOR_OF_PLACEMENT)
        .should(new ShowOnly(JDK.or(livesIn(API)).or(DOOR_OF_PLACEMENT)))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void theEstimatorShowsOnlyItsDoorAndTheApi() {
    classes()
        .that(DOOR_OF_ESTIMATOR)
        .should(new ShowOnly(JDK.or(livesIn(API)).or(DOOR_OF_ESTIMATOR)))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void theDoorsOfPlacementAndSchedulerAreNarrow() {
    assertThat(publicTypes(DOOR_OF_PLACEMENT.or(DOOR_OF_SCHEDULER)))
        .contains("LiquidScheduler", "Placers")
        .hasSizeLessThanOrEqualTo(MOST_TYPES_OF_IMMEDIATE_MODE);
  }

  @Test
  void theEstimatorsDoorIsNarrow() {
    assertThat(publicTypes(DOOR_OF_ESTIMATOR))
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(MOST_TYPES_OF_ESTIMATOR);
  }

  @Test
  void nobodyEntersPlacementButThroughItsDoor() {
    noClasses()
        .that(DescribedPredicate.not(INSIDERS))
        .should()
        .dependOnClassesThat(livesIn(PLACEMENT).and(DescribedPredicate.not(DOOR_OF_PLACEMENT)))
        .check(CLASSES);
  }

  @Test
  void theRuleSeesALibraryBehindATypeArgument() {
    var sample = new ClassFileImporter().importClasses(ShowsGuava.class);

    assertThat(classes().should(new ShowOnly(JDK)).evaluate(sample).getFailureReport().getDetails())
        .hasSize(3)
        .allMatch(line -> line.contains("ImmutableList"));
  }

  private static List<String> publicTypes(DescribedPredicate<JavaClass> door) {
    return CLASSES.that(door).stream()
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(JavaClass::isTopLevelClass)
        .map(JavaClass::getSimpleName)
        .toList();
  }

  /** The packages that a module exports to everybody. */
  private static DescribedPredicate<JavaClass> doorOf(String module) {
    Path descriptor = SourceTree.ROOT.resolve(module).resolve("src/main/java/module-info.java");
    Set<String> exported =
        EXPORT
            .matcher(SourceTree.read(descriptor))
            .results()
            .map(match -> match.group(1))
            .collect(toSet());
    return DescribedPredicate.describe(
        "are in packages that " + module + " exports",
        type -> exported.contains(type.getBaseComponentType().getPackageName()));
  }
}

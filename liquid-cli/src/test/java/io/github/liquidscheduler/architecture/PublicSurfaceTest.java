package io.github.liquidscheduler.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.github.liquidscheduler.architecture.Modules.API;
import static io.github.liquidscheduler.architecture.Modules.CLASSES;
import static io.github.liquidscheduler.architecture.Modules.ESTIMATOR;
import static io.github.liquidscheduler.architecture.Modules.PLACEMENT;
import static io.github.liquidscheduler.architecture.Modules.PLANNER;
import static io.github.liquidscheduler.architecture.Modules.ROOT_PACKAGE;
import static io.github.liquidscheduler.architecture.Modules.ROUNDS;
import static io.github.liquidscheduler.architecture.Modules.SCHEDULER;
import static io.github.liquidscheduler.architecture.Modules.SIMULATOR;
import static io.github.liquidscheduler.architecture.Modules.livesIn;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** What embedders can see of the library names nothing that they did not ask for. */
class PublicSurfaceTest {
  private static final DescribedPredicate<JavaClass> JDK =
      DescribedPredicate.describe(
          "belong to the JDK",
          type -> type.isPrimitive() || type.getPackageName().startsWith("java."));

  private static final DescribedPredicate<JavaClass> DOOR_OF_PLACEMENT =
      livesIn(PLACEMENT)
          .and(
              inPackage(ROOT_PACKAGE + ".placement")
                  .or(inPackage(ROOT_PACKAGE + ".placement.colocation"))
                  .or(inPackage(ROOT_PACKAGE + ".placement.cost")));

  private static final DescribedPredicate<JavaClass> DOOR_OF_ESTIMATOR =
      livesIn(ESTIMATOR)
          .and(
              inPackage(ROOT_PACKAGE + ".estimator.duration")
                  .or(inPackage(ROOT_PACKAGE + ".estimator.interference"))
                  .or(inPackage(ROOT_PACKAGE + ".estimator.request"))
                  .or(inPackage(ROOT_PACKAGE + ".estimator.resource"))
                  .or(inPackage(ROOT_PACKAGE + ".estimator.similarity"))
                  .or(inPackage(ROOT_PACKAGE + ".estimator.task")));

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
  void theEstimatorsDoorIsNarrow() {
    assertThat(CLASSES.that(DOOR_OF_ESTIMATOR))
        .filteredOn(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .filteredOn(JavaClass::isTopLevelClass)
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

  private static DescribedPredicate<JavaClass> inPackage(String name) {
    return DescribedPredicate.describe(
        "are in " + name, type -> type.getBaseComponentType().getPackageName().equals(name));
  }
}

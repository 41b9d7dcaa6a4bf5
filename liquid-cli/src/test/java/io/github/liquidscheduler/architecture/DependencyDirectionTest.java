package io.github.liquidscheduler.architecture;

import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.github.liquidscheduler.architecture.Modules.API;
import static io.github.liquidscheduler.architecture.Modules.CLASSES;
import static io.github.liquidscheduler.architecture.Modules.CLI;
import static io.github.liquidscheduler.architecture.Modules.ELASTIC;
import static io.github.liquidscheduler.architecture.Modules.ESTIMATOR;
import static io.github.liquidscheduler.architecture.Modules.FORMATS;
import static io.github.liquidscheduler.architecture.Modules.JSON;
import static io.github.liquidscheduler.architecture.Modules.MICROMETER;
import static io.github.liquidscheduler.architecture.Modules.PLACEMENT;
import static io.github.liquidscheduler.architecture.Modules.PLANNER;
import static io.github.liquidscheduler.architecture.Modules.RECONCILE;
import static io.github.liquidscheduler.architecture.Modules.ROUNDS;
import static io.github.liquidscheduler.architecture.Modules.RUNTIME;
import static io.github.liquidscheduler.architecture.Modules.SCHEDULER;
import static io.github.liquidscheduler.architecture.Modules.SIMULATOR;
import static io.github.liquidscheduler.architecture.Modules.SLURM;
import static io.github.liquidscheduler.architecture.Modules.livesIn;
import static io.github.liquidscheduler.architecture.Modules.moduleOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class DependencyDirectionTest {
  private static final List<String> JDK_AND_ANNOTATIONS = List.of("java", "org.jspecify");

  /** What a module may use: other modules of ours, and packages of others. */
  record Allowance(String module, List<String> modules, List<String> libraries) {
    boolean permits(JavaClass used) {
      JavaClass type = used.getBaseComponentType();
      String owner = moduleOf(type);
      return type.isPrimitive()
          || owner.equals(module)
          || modules.contains(owner)
          || Stream.concat(JDK_AND_ANNOTATIONS.stream(), libraries.stream())
              .anyMatch(library -> type.getPackageName().matches(library + "(\\..*)?"));
    }

    ArchCondition<JavaClass> keptTo() {
      return onlyDependOnClassesThat(
          DescribedPredicate.describe("are allowed to " + module, this::permits));
    }
  }

  static Stream<Allowance> allowances() {
    List<String> jackson = List.of("com.fasterxml.jackson");
    return Stream.of(
        new Allowance(API, List.of(), List.of()),
        new Allowance(ROUNDS, List.of(API), List.of()),
        new Allowance(
            FORMATS,
            List.of(API),
            List.of(
                "com.fasterxml.jackson",
                "com.google.common",
                "javax.xml.stream",
                "org.apache.commons.csv")),
        new Allowance(JSON, List.of(API, ROUNDS), jackson),
        new Allowance(
            ELASTIC,
            List.of(),
            List.of("com.fasterxml.jackson", "io.etcd.jetcd", "io.grpc", "org.slf4j")),
        new Allowance(
            ESTIMATOR,
            List.of(API),
            List.of(
                "ai.onnxruntime",
                "com.google.common",
                "org.hipparchus",
                "org.ojalgo",
                "org.slf4j")),
        new Allowance(PLACEMENT, List.of(API), List.of()),
        new Allowance(SCHEDULER, List.of(API, PLACEMENT), List.of()),
        new Allowance(RUNTIME, List.of(API), List.of("org.slf4j")),
        new Allowance(RECONCILE, List.of(API, RUNTIME, JSON), List.of("org.slf4j")),
        new Allowance(
            SLURM, List.of(API, FORMATS, RECONCILE), List.of("com.fasterxml.jackson", "org.slf4j")),
        new Allowance(MICROMETER, List.of(API), List.of("io.micrometer.core")),
        new Allowance(
            PLANNER,
            List.of(API, PLACEMENT),
            List.of("ai.timefold.solver", "com.google.common", "org.jgrapht", "org.slf4j")));
  }

  @ParameterizedTest
  @MethodSource("allowances")
  void aModuleUsesOnlyWhatItIsAllowed(Allowance allowance) {
    classes()
        .that(livesIn(allowance.module()))
        .should(allowance.keptTo())
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void theSolverStaysWhereBatchesArePlanned() {
    noClasses()
        .that()
        .resideOutsideOfPackage(Modules.ROOT_PACKAGE + ".planner..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("ai.timefold..")
        .check(CLASSES);
  }

  @Test
  void theSimulatorDoesNotKnowTheCommandLine() {
    noClasses()
        .that(livesIn(SIMULATOR))
        .should()
        .dependOnClassesThat(livesIn(CLI))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void nothingPublishedDependsOnTheLab() {
    List<Path> modules = SourceTree.modules();
    Path lab = SourceTree.ROOT.resolve("lab");
    List<String> inLab =
        modules.stream()
            .filter(module -> module.startsWith(lab))
            .map(module -> "<artifactId>" + module.getFileName() + "</artifactId>")
            .toList();

    assertThat(inLab).contains("<artifactId>liquid-lab</artifactId>");
    assertThat(modules)
        .filteredOn(module -> !module.startsWith(lab))
        .extracting(module -> SourceTree.read(module.resolve("pom.xml")))
        .allSatisfy(pom -> assertThat(pom).doesNotContain(inLab));
  }

  @Test
  void noPackageDependsOnItselfThroughOthers() {
    slices().matching(Modules.ROOT_PACKAGE + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void aPackageLivesInOneModule() {
    assertThat(
            CLASSES.stream().map(type -> moduleOf(type) + " " + type.getPackageName()).distinct())
        .extracting(home -> home.split(" ", 2)[1])
        .doesNotHaveDuplicates();
  }

  @Test
  void everyClassIsKnownToLiveInAModule() {
    assertThat(CLASSES).isNotEmpty().noneMatch(type -> moduleOf(type).isEmpty());
  }

  @Test
  void theRuleSeesALibraryThatIsNotAllowed() {
    JavaClasses loud = new ClassFileImporter().importClasses(UsesPicocli.class);
    Allowance allowance = new Allowance(API, List.of(), List.of());

    assertThat(classes().should(allowance.keptTo()).evaluate(loud).getFailureReport().getDetails())
        .anyMatch(line -> line.contains("picocli"));
  }

  static final class UsesPicocli {
    final CommandLine line = new CommandLine(this);
  }
}

package io.github.liquidscheduler.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.github.liquidscheduler.architecture.Modules.API;
import static io.github.liquidscheduler.architecture.Modules.ELASTIC;
import static io.github.liquidscheduler.architecture.Modules.PLACEMENT;
import static io.github.liquidscheduler.architecture.Modules.PLANNER;
import static io.github.liquidscheduler.architecture.Modules.ROOT_PACKAGE;
import static io.github.liquidscheduler.architecture.Modules.ROUNDS;
import static io.github.liquidscheduler.architecture.Modules.SCHEDULER;
import static io.github.liquidscheduler.architecture.Modules.livesIn;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The same events lead to the same decisions, so nothing but events may reach the code. */
class DecidingCodeTest {
  /** Of an elastic job's control layer, all but the runtime around it and its stores. */
  private static final DescribedPredicate<JavaClass> ELASTIC_PROTOCOL =
      livesIn(ELASTIC)
          .and(
              resideInAnyPackage(
                  ROOT_PACKAGE + ".elastic",
                  ROOT_PACKAGE + ".elastic.ledger",
                  ROOT_PACKAGE + ".elastic.protocol"));

  private static final DescribedPredicate<JavaClass> DECIDES =
      livesIn(API)
          .or(livesIn(PLACEMENT))
          .or(livesIn(SCHEDULER))
          .or(livesIn(PLANNER))
          .or(livesIn(ROUNDS))
          .or(ELASTIC_PROTOCOL);

  @ParameterizedTest
  @EnumSource
  void decidingCodeUsesNothingThatDiffersBetweenRuns(Impurity impurity) {
    noClasses()
        .that(DECIDES)
        .should(impurity.found())
        .allowEmptyShould(true)
        .check(Modules.CLASSES);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void theRuleSees(Impurity impurity, Class<?> sample) {
    var classes = new ClassFileImporter().importClasses(sample);

    assertThat(noClasses().should(impurity.found()).evaluate(classes).hasViolation()).isTrue();
  }

  @Test
  void theRuleLeavesPlainCodeAlone() {
    var classes = new ClassFileImporter().importClasses(Plain.class);

    assertThat(Impurity.values())
        .noneMatch(found -> noClasses().should(found.found()).evaluate(classes).hasViolation());
  }

  static Stream<Arguments> samples() {
    return Stream.of(
        Arguments.of(Impurity.CLOCK, ReadsNanoTime.class),
        Arguments.of(Impurity.CLOCK, RefersToNanoTime.class),
        Arguments.of(Impurity.CLOCK, ReadsInstantNow.class),
        Arguments.of(Impurity.CLOCK, HoldsAClock.class),
        Arguments.of(Impurity.ENVIRONMENT, ReadsTheEnvironment.class),
        Arguments.of(Impurity.ENVIRONMENT, ReadsAProperty.class),
        Arguments.of(Impurity.CONSOLE, Prints.class),
        Arguments.of(Impurity.THREAD, StartsAThread.class),
        Arguments.of(Impurity.THREAD, RunsLater.class),
        Arguments.of(Impurity.THREAD, StreamsInParallel.class),
        Arguments.of(Impurity.RANDOMNESS, DrawsUnseeded.class),
        Arguments.of(Impurity.RANDOMNESS, DrawsFromMath.class),
        Arguments.of(Impurity.RANDOMNESS, DrawsFromTheThread.class),
        Arguments.of(Impurity.RANDOMNESS, NamesAtRandom.class),
        Arguments.of(Impurity.RANDOMNESS, Shuffles.class),
        Arguments.of(Impurity.RANDOMNESS, OrdersByIdentity.class),
        Arguments.of(Impurity.INPUT_OUTPUT, NamesAFile.class),
        Arguments.of(Impurity.INPUT_OUTPUT, NamesAPath.class),
        Arguments.of(Impurity.INPUT_OUTPUT, OpensASocket.class),
        Arguments.of(Impurity.UNSTABLE_ORDER, CopiesASet.class),
        Arguments.of(Impurity.UNSTABLE_ORDER, ListsAMap.class),
        Arguments.of(Impurity.CHANGING_STATIC, CountsInAStatic.class),
        Arguments.of(Impurity.CHANGING_STATIC, CountsInAStaticAtomic.class));
  }

  record Plain(int value, List<String> names) {
    enum Kind {
      ONE,
      OTHER
    }

    static final Map<String, Integer> SIZES = Map.of("one", 1);

    long drawn(Kind kind) {
      return switch (kind) {
        case ONE -> new Random(value).nextLong();
        case OTHER -> names.stream().mapToLong(String::length).sum();
      };
    }
  }

  static final class ReadsNanoTime {
    final long now = System.nanoTime();
  }

  static final class RefersToNanoTime {
    final LongSupplier clock = System::nanoTime;
  }

  static final class ReadsInstantNow {
    final Instant now = Instant.now();
  }

  record HoldsAClock(Clock clock) {}

  static final class ReadsTheEnvironment {
    final String home = System.getenv("HOME");
  }

  static final class ReadsAProperty {
    final boolean fast = Boolean.getBoolean("fast");
  }

  static final class Prints {
    void print() {
      System.out.println();
    }
  }

  static final class StartsAThread {
    void start() {
      new Thread(() -> {}).start();
    }
  }

  record RunsLater(CompletableFuture<String> answer) {}

  static final class StreamsInParallel {
    long count(List<String> names) {
      return names.parallelStream().count();
    }
  }

  static final class DrawsUnseeded {
    final long drawn = new Random().nextLong();
  }

  static final class DrawsFromMath {
    final double drawn = Math.random();
  }

  static final class DrawsFromTheThread {
    final int drawn = ThreadLocalRandom.current().nextInt();
  }

  static final class NamesAtRandom {
    final UUID name = UUID.randomUUID();
  }

  static final class Shuffles {
    void shuffle(List<String> names) {
      Collections.shuffle(names);
    }
  }

  static final class OrdersByIdentity {
    final IdentityHashMap<String, String> names = new IdentityHashMap<>();
  }

  record NamesAFile(File file) {}

  record NamesAPath(Path path) {}

  record OpensASocket(Socket socket) {}

  record CopiesASet(Set<String> names) {
    CopiesASet {
      names = Set.copyOf(names);
    }
  }

  static final class ListsAMap {
    final Map<String, Integer> sizes = Map.of("one", 1, "two", 2);
  }

  static final class CountsInAStatic {
    static int count;
  }

  static final class CountsInAStaticAtomic {
    static final AtomicLong COUNT = new AtomicLong();
  }
}

package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.DecisionArbitraries;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** A digest is that of the lines of a journal, however they are written. */
class DecisionsDigestLaws {

  record Decided(Instant at, List<Decision> decisions) {}

  @Property(tries = 200)
  void aDigestIsThatOfTheLinesOfAJournal(@ForAll("runs") List<Decided> run)
      throws NoSuchAlgorithmException {
    DecisionsDigest digest = new DecisionsDigest();
    StringBuilder lines = new StringBuilder();
    for (Decided each : run) {
      digest.add(each.at(), each.decisions());
      lines.append(JournalLine.decided(each.at(), each.decisions())).append('\n');
    }

    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(digest.hex())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
  }

  @Provide
  Arbitrary<List<Decided>> runs() {
    Arbitrary<Decision> decisions =
        Arbitraries.frequencyOf(
            Tuple.of(4, starts()), Tuple.of(1, DecisionArbitraries.decisions()));
    Arbitrary<Instant> times =
        Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.longs().between(-40_000_000_000L, 40_000_000_000L)),
                Tuple.of(1, Arbitraries.longs().between(-100_000_000_000L, 100_000_000_000L)),
                Tuple.of(4, Arbitraries.longs().between(-90_000, 90_000)))
            .flatMap(
                second ->
                    Arbitraries.of(0L, 1L, 500_000_000L)
                        .map(nanos -> Instant.ofEpochSecond(second, nanos)));
    return Combinators.combine(times, decisions.list().ofMinSize(1).ofMaxSize(3))
        .as(Decided::new)
        .list()
        .ofMaxSize(30);
  }

  /** Starts in their turn: of the names most are plain, and some have to be escaped. */
  private static Arbitrary<Decision> starts() {
    Arbitrary<String> names =
        Arbitraries.of("a", "job-17", "x\"y", "back\\slash", "ä", "😀", "~ !");
    Arbitrary<Integer> bypassed = Arbitraries.of(0, 9, 10, 1_234_567_890);
    return Combinators.combine(DecisionArbitraries.placements(), names, names, bypassed)
        .as(
            (placement, job, policy, count) -> {
              JobId id = JobId.of(job);
              List<TaskPlacement> tasks = placement.tasks();
              return new Decision.Start(
                  id, new Placement(id, tasks), new Reason.Scheduled(policy, count), List.of());
            });
  }
}

package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that describes the formats shows nothing that is not so. */
class FormatsPageTest {

  private static final String PAGE = page();

  @Test
  void theClusterIsWrittenBackAsShown() {
    String canonical = example("cluster-canonical").lines().reduce("", String::concat);

    assertThat(JsonCodecs.CLUSTER.write(JsonCodecs.CLUSTER.read("page", example("cluster"))))
        .isEqualTo(canonical);
  }

  @Test
  void theJobsAreJobs() {
    assertThat(JsonCodecs.JOBS.read("page", example("jobs"))).hasSize(4);
  }

  @Test
  void everyKindOfEventIsShownAsItIsWritten() {
    List<ClusterEvent> events = canonicalLines("events", JsonCodecs.EVENT);

    assertThat(DocumentKinds.of(events.stream())).isEqualTo(DocumentKinds.of(ClusterEvent.class));
  }

  @Test
  void everyKindOfDecisionAndReasonIsShownAsItIsWritten() {
    List<Decision> decisions = canonicalLines("decisions", JsonCodecs.DECISION);

    assertThat(DocumentKinds.of(decisions.stream())).isEqualTo(DocumentKinds.of(Decision.class));
    assertThat(DocumentKinds.of(decisions.stream().map(Decision::why)))
        .isEqualTo(DocumentKinds.of(Reason.class));
  }

  @Test
  void everyKindOfRoundEventIsShownAsItIsWritten() {
    List<RoundEvent> events = canonicalLines("round-events", RoundCodecs.EVENT);

    assertThat(DocumentKinds.of(events.stream())).isEqualTo(DocumentKinds.of(RoundEvent.class));
  }

  @Test
  void everyKindOfRoundDecisionIsShownAsItIsWritten() {
    List<RoundDecision> decisions = canonicalLines("round-decisions", RoundCodecs.DECISION);

    assertThat(DocumentKinds.of(decisions.stream()))
        .isEqualTo(DocumentKinds.of(RoundDecision.class));
    assertThat(DocumentKinds.of(decisions.stream().flatMap(FormatsPageTest::why)))
        .isEqualTo(DocumentKinds.of(RoundDecision.Why.class));
  }

  private static Stream<RoundDecision.Why> why(RoundDecision decision) {
    return decision instanceof RoundDecision.RunTask start ? Stream.of(start.why()) : Stream.of();
  }

  @Test
  void thePlanIsShownAsItIsWritten() {
    BatchPlan plan = canonicalLines("plan", JsonCodecs.PLAN).get(0);

    assertThat(plan.number()).isEqualTo(3);
    assertThat(plan.certificate().gap()).isEqualTo(0.5);
  }

  @Test
  void everyKindOfRemedyAndOfConditionIsShown() {
    var explanation = JsonCodecs.EXPLANATION.read("page", example("explanation"));

    assertThat(DocumentKinds.of(explanation.remedies().stream()))
        .isEqualTo(DocumentKinds.of(Counterfactual.class));
    assertThat(DocumentKinds.of(explanation.retryConditions().stream()))
        .isEqualTo(DocumentKinds.of(RetryCondition.class));
  }

  @Test
  void theSnapshotIsOne() {
    var snapshot = JsonCodecs.SNAPSHOT.read("page", example("snapshot"));

    assertThat(snapshot.sections())
        .containsOnlyKeys(
            "parameters", "ended", "jobs", "failures", "window", "colocations", "cluster");
    assertThat(snapshot.section("jobs").values()).containsEntry("submissions", 4L);
  }

  @Test
  void theJournalCanBeReplayed() {
    JournalReplay replay = JournalReplay.of(Journals.read(example("journal")), new OneAtATime());

    assertThat(replay.divergence()).isEmpty();
    assertThat(replay.events()).isEqualTo(3);
  }

  private static <T> List<T> canonicalLines(String example, JsonCodec<T> codec) {
    List<String> lines = example(example).lines().toList();
    List<T> values = lines.stream().map(line -> codec.read("page", line)).toList();
    assertThat(values).extracting(codec::write).isEqualTo(lines);
    return values;
  }

  /** Returns the block that is fenced with {@code json NAME} or {@code jsonl NAME}. */
  private static String example(String name) {
    Matcher block =
        Pattern.compile("```jsonl? " + name + "\n(.*?)```", Pattern.DOTALL).matcher(PAGE);
    assertThat(block.find()).as("example " + name).isTrue();
    return block.group(1);
  }

  private static String page() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve(".mvn"))) {
      root = Objects.requireNonNull(root.getParent(), "no folder above has a .mvn");
    }
    try {
      return Files.readString(root.resolve("docs/formats.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

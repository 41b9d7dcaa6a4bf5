package io.github.liquidscheduler.json;

import static io.github.liquidscheduler.json.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalReplayTest {

  @Test
  void theSameSchedulerDecidesTheSame() {
    JournalReplay replay = JournalReplay.of(Journals.read(Journals.text()), new OneAtATime());

    assertThat(replay.divergence()).isEmpty();
    assertThat(replay.events()).isEqualTo(3);
    assertThat(replay.decisions()).isEqualTo(1);
  }

  @Test
  void theDigestIsThatOfTheLinesOfDecisions() throws Exception {
    String line =
        Journals.text()
            .lines()
            .skip(2)
            .findFirst()
            .orElseThrow()
            .replaceFirst(",\"crc32c\":\"[0-9a-f]*\"}$", "}");
    byte[] expected =
        MessageDigest.getInstance("SHA-256").digest((line + "\n").getBytes(StandardCharsets.UTF_8));

    JournalReplay replay = JournalReplay.of(Journals.read(Journals.text()), new OneAtATime());

    assertThat(replay.digest()).isEqualTo(HexFormat.of().formatHex(expected));
  }

  @Test
  void theDigestOfTheseDecisionsNeverChanges() {
    DecisionsDigest digest = new DecisionsDigest();
    assertThat(digest.hex())
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

    digest.add(NOON, Journals.STARTED);
    assertThat(digest)
        .hasToString(
            "3b1f9c85dfddc19b45de53917b580cb092f2e6f062db08f84b46233da3173a18 of 1 decision");
  }

  @Test
  void askingADigestMidwayDoesNotDisturbIt() {
    DecisionsDigest asked = new DecisionsDigest();
    DecisionsDigest left = new DecisionsDigest();
    asked.add(NOON, Journals.STARTED);
    left.add(NOON, Journals.STARTED);
    assertThat(asked.hex()).isEqualTo(left.hex());

    asked.add(NOON, Journals.STARTED);
    left.add(NOON, Journals.STARTED);

    assertThat(asked.hex()).isEqualTo(left.hex());
  }

  @Test
  void anEventWithoutDecisionsLeavesNoTraceInTheDigest() {
    DecisionsDigest digest = new DecisionsDigest();
    String before = digest.hex();

    digest.add(NOON, List.of());

    assertThat(digest.hex()).isEqualTo(before);
  }

  @Test
  void theFirstDifferenceIsReportedWithItsLine() {
    String journal = Journals.resealed(Journals.text().replace("\"bypassed\":0", "\"bypassed\":5"));

    JournalReplay replay = JournalReplay.of(Journals.read(journal), new OneAtATime());

    assertThat(replay.events()).isEqualTo(1);
    assertThat(replay.divergence())
        .hasValueSatisfying(
            difference -> {
              assertThat(difference.line()).isEqualTo(2);
              assertThat(difference.decided()).isEqualTo(Journals.STARTED);
              assertThat(difference.describe())
                  .isEqualTo(
                      "line 2, decision 1: recorded was …\":1}}],\"why\":{\"type\":\"scheduled\","
                          + "\"policy\":\"fifo\",\"bypassed\":5}}, decided was …\":1}}],\"why\":"
                          + "{\"type\":\"scheduled\",\"policy\":\"fifo\",\"bypassed\":0}}");
            });
  }

  @Test
  void aShareThatDiffersIsSeenInTheDifference() {
    Placement quarter = placement(GpuShare.of(.25));
    Placement half = placement(GpuShare.of(.5));
    Reason why = new Reason.Scheduled("fifo", 0);
    var difference =
        new JournalReplay.Divergence(
            7,
            Journals.SUBMITTED,
            List.of(new Decision.Start(quarter.job(), quarter, why)),
            List.of(new Decision.Start(half.job(), half, why)));

    assertThat(difference.describe()).contains("\"share\":0.25", "\"share\":0.5");
    assertThat(quarter).hasToString("a: [worker/0 on n0[0] (25 %)]");
  }

  @Test
  void aDecisionThatIsMissingIsNothing() {
    var difference =
        new JournalReplay.Divergence(2, Journals.SUBMITTED, Journals.STARTED, List.of());

    assertThat(difference.describe())
        .startsWith("line 2, decision 1: recorded was {\"type\":\"start\",\"job\":\"a\"")
        .endsWith(", decided was nothing");
  }

  private static Placement placement(GpuShare share) {
    ResourceRequest request = ResourceRequest.builder().share(share).build();
    TaskId task = new TaskId("worker", 0);
    return new Placement(
        JobId.of("a"), List.of(new TaskPlacement(task, NodeId.of("n0"), List.of(0), request)));
  }

  @Test
  void aJournalIsReplayedUnderItsOwnParametersOnly() {
    Scheduler scheduler = new OneAtATime();
    String journal =
        Journals.resealed(
            Journals.text()
                .replace(
                    "\"recordsDecisions\"",
                    "\"parameters\":{\"batch.time\":\"PT15S\"},\"recordsDecisions\""));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JournalReplay.of(Journals.read(journal), scheduler))
        .withMessage(
            "a journal must be replayed under its own parameters, but batch.time was 'PT15S' and"
                + " is not set");
  }

  @Test
  void decisionsThatAreNotRecordedAreADifferenceToo() {
    String journal =
        Journals.resealed(Journals.text().replaceFirst("\\{\"type\":\"decisions\".*\n", ""));

    assertThat(JournalReplay.of(Journals.read(journal), new OneAtATime()).divergence())
        .hasValueSatisfying(difference -> assertThat(difference.recorded()).isEmpty());
  }

  @Test
  void anEventAtTheEndMayLackItsDecisions() {
    String journal = Journals.text().lines().limit(2).reduce("", (all, line) -> all + line + "\n");

    JournalReplay replay = JournalReplay.of(Journals.read(journal), new OneAtATime());

    assertThat(replay.divergence()).isEmpty();
    assertThat(replay.decisions()).isEqualTo(1);
  }

  @Test
  void anEventThatTheSchedulerRefusesIsReportedWithItsLine() {
    String journal =
        Journals.resealed(
            Journals.text()
                .replace(
                    "\"jobFinished\",\"at\":\"2026-01-31T12:01:00Z\",\"job\":\"a\"",
                    "\"jobFinished\",\"at\":\"2026-01-31T12:01:00Z\",\"job\":\"b\""));

    assertThatThrownBy(
            () -> JournalReplay.of(Journals.read(journal, Truncation.REFUSE), new OneAtATime()))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage(
            "events.jsonl, line 4, column 1: the scheduler refuses this event:"
                + " job 'b' does not run");
  }
}

package io.github.liquidscheduler.json;

import static io.github.liquidscheduler.json.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.json.EventJournalReader.Truncation;
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
    String line = Journals.text().lines().skip(2).findFirst().orElseThrow();
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
            "3b1f9c85dfddc19b45de53917b580cb092f2e6f062db08f84b46233da3173a18 of 1 decisions");
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
    String journal = Journals.text().replace("\"bypassed\":0", "\"bypassed\":5");

    JournalReplay replay = JournalReplay.of(Journals.read(journal), new OneAtATime());

    assertThat(replay.events()).isEqualTo(1);
    assertThat(replay.divergence())
        .hasValueSatisfying(
            difference -> {
              assertThat(difference.line()).isEqualTo(2);
              assertThat(difference.decided()).isEqualTo(Journals.STARTED);
              assertThat(difference.describe()).startsWith("line 2: recorded were [Start[job=a,");
            });
  }

  @Test
  void decisionsThatAreNotRecordedAreADifferenceToo() {
    String journal = Journals.text().replaceFirst("\\{\"type\":\"decisions\".*\n", "");

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
        Journals.text()
            .replace(
                "\"jobFinished\",\"at\":\"2026-01-31T12:01:00Z\",\"job\":\"a\"",
                "\"jobFinished\",\"at\":\"2026-01-31T12:01:00Z\",\"job\":\"b\"");

    assertThatThrownBy(
            () -> JournalReplay.of(Journals.read(journal, Truncation.REFUSE), new OneAtATime()))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage(
            "events.jsonl, line 4, column 1: the scheduler refuses this event:"
                + " job 'b' does not run");
  }
}

package io.github.liquidscheduler.lab.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The events of journals that were recorded once lead to the decisions of then, whatever has been
 * renamed or moved since. {@link RecordedJournals} has recorded them.
 */
class RecordedDecisionsTest {

  @ParameterizedTest
  @EnumSource
  void theSameEventsLeadToTheSameDecisions(Recording recording) {
    RecordedJournals.Recorded replayed = replay(recording);

    assertThat(difference(replayed.decisions(), JournalFile.decisions(recording))).isEmpty();
    assertThat(DecisionText.digest(replayed.decisions()))
        .isEqualTo(JournalFile.table("digests.properties").get(recording.id()));
    assertThat(replayed.countsText())
        .isEqualTo(JournalFile.table("counts.properties").get(recording.id()));
    assertThat(replayed.counts()).containsKeys(recording.shows().toArray(String[]::new));
  }

  /** The plans are part of the journals; whether planners still make them is seen here. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "BATCH_.*|DEFRAGMENTATION")
  void theSameRequestsLeadToTheSamePlans(Recording recording) {
    RecordedJournals.Recorded anew = RecordedJournals.record(recording);

    assertThat(difference(anew.decisions(), JournalFile.decisions(recording))).isEmpty();
    assertThat(anew.journal().equals(JournalFile.of(recording))).isTrue();
  }

  @Test
  void eachRecordingHasItsDigest() {
    List<String> ids = Stream.of(Recording.values()).map(Recording::id).toList();

    assertThat(JournalFile.table("digests.properties")).containsOnlyKeys(ids);
    assertThat(JournalFile.table("counts.properties")).containsOnlyKeys(ids);
  }

  private static RecordedJournals.Recorded replay(Recording recording) {
    JournalFile journal = JournalFile.of(recording);
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      DecisionText text = new DecisionText(recording.scheduler(journal.cluster(), predictor));
      replay(journal, text);
      return new RecordedJournals.Recorded(journal, text.lines(), text.counts());
    }
  }

  /** Stops at an event that cannot happen, as after a decision that is not that of then. */
  private static void replay(JournalFile journal, DecisionText text) {
    for (ClusterEvent event : journal.events()) {
      try {
        text.on(event);
      } catch (IllegalArgumentException e) {
        text.refused(e);
        return;
      }
    }
  }

  /** Returns the first lines that differ, if any do. */
  private static List<String> difference(List<String> now, List<String> then) {
    return IntStream.range(0, Math.max(now.size(), then.size()))
        .filter(i -> !Objects.equals(line(now, i), line(then, i)))
        .limit(1)
        .mapToObj(i -> List.of("now:  " + line(now, i), "then: " + line(then, i)))
        .findFirst()
        .orElse(List.of());
  }

  private static String line(List<String> lines, int i) {
    return i < lines.size() ? lines.get(i) : "(the end)";
  }
}

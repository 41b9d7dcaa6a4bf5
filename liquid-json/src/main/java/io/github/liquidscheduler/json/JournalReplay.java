package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What came of feeding a journal to a scheduler.
 *
 * @param events how many events the scheduler took
 * @param decisions how many decisions it took
 * @param digest the {@link DecisionsDigest} of those decisions
 * @param divergence where it first decided otherwise than recorded, and where the replay stopped
 *     therefore; empty if it never did
 */
public record JournalReplay(
    long events, long decisions, String digest, Optional<Divergence> divergence) {

  /** Checks that nothing is null. */
  public JournalReplay {
    Objects.requireNonNull(digest, "digest");
    Objects.requireNonNull(divergence, "divergence");
  }

  /**
   * A difference between what was recorded and what was decided now.
   *
   * @param line the number of the event's line in the journal
   * @param event the event
   * @param recorded what the journal says was decided
   * @param decided what was decided now
   */
  public record Divergence(
      int line, ClusterEvent event, List<Decision> recorded, List<Decision> decided) {

    /** Checks that nothing is null and copies the lists. */
    public Divergence {
      Objects.requireNonNull(event, "event");
      recorded = List.copyOf(recorded);
      decided = List.copyOf(decided);
    }

    /** Returns the difference as a sentence for people, without a full stop. */
    public String describe() {
      return "line " + line + ": recorded were " + recorded + ", decided was " + decided;
    }
  }

  /**
   * Feeds the events of {@code journal}, from where it stands to its end or the first difference,
   * to {@code scheduler}, which has to be made of what the header says. Where the journal does not
   * say what was decided, any decision will do.
   *
   * @throws JsonFormatException if the journal is not in the format, or the scheduler refuses an
   *     event
   */
  public static JournalReplay of(EventJournalReader journal, Scheduler scheduler) {
    DecisionsDigest digest = new DecisionsDigest();
    Optional<Divergence> divergence = Optional.empty();
    long events = 0;
    while (journal.hasNext() && divergence.isEmpty()) {
      JournalEntry entry = journal.next();
      List<Decision> decided = take(journal, entry, scheduler);
      digest.add(entry.event().at(), decided);
      events++;
      divergence =
          entry
              .decisions()
              .filter(recorded -> !recorded.equals(decided))
              .map(recorded -> new Divergence(entry.line(), entry.event(), recorded, decided));
    }
    return new JournalReplay(events, digest.decisions(), digest.hex(), divergence);
  }

  private static List<Decision> take(
      EventJournalReader journal, JournalEntry entry, Scheduler scheduler) {
    try {
      return scheduler.on(entry.event());
    } catch (IllegalArgumentException e) {
      JsonFormatException refused =
          journal.refuse(entry.line(), "the scheduler refuses this event: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }
}

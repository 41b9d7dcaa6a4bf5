package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The outcome of feeding a journal to a scheduler.
 *
 * @param events how many events the scheduler took
 * @param decisions how many decisions it took
 * @param digest the {@link DecisionsDigest} of those decisions
 * @param divergence where it first decided otherwise than recorded, and where the replay stopped
 *     therefore; empty if it never did
 */
public record JournalReplay(
    long events, long decisions, String digest, Optional<Divergence> divergence) {

  private static final int BEFORE = 60;
  private static final int SHOWN = 300;

  /** Checks that nothing is null. */
  public JournalReplay {
    Objects.requireNonNull(digest, "digest");
    Objects.requireNonNull(divergence, "divergence");
  }

  /** A difference between what a line of the journal recorded and what was decided now. */
  public record Divergence(
      int line, ClusterEvent event, List<Decision> recorded, List<Decision> decided) {

    /** Checks that nothing is null and copies the lists. */
    public Divergence {
      Objects.requireNonNull(event, "event");
      recorded = List.copyOf(recorded);
      decided = List.copyOf(decided);
    }

    /**
     * Returns the first difference as a sentence for people, without a full stop: both decisions in
     * the form that journals have, from shortly before they differ.
     */
    public String describe() {
      int first = 0;
      while (first < Math.min(recorded.size(), decided.size())
          && recorded.get(first).equals(decided.get(first))) {
        first++;
      }
      String then = text(recorded, first);
      String now = text(decided, first);
      int from = Math.max(0, Arrays.mismatch(then.toCharArray(), now.toCharArray()) - BEFORE);
      return "line %d, decision %d: recorded was %s, decided was %s"
          .formatted(line, first + 1, part(then, from), part(now, from));
    }

    private static String text(List<Decision> decisions, int index) {
      return index < decisions.size() ? JsonCodecs.DECISION.write(decisions.get(index)) : "nothing";
    }

    private static String part(String text, int from) {
      int start = from <= BEFORE ? 0 : Math.min(from, text.length());
      int end = Math.min(text.length(), start + SHOWN);
      return (start > 0 ? "…" : "") + text.substring(start, end) + (end < text.length() ? "…" : "");
    }
  }

  /**
   * Feeds the events of {@code journal}, from where it stands to its end or the first difference,
   * to {@code scheduler}. Where the journal does not say what was decided, any decision will do.
   *
   * @throws IllegalArgumentException if the scheduler is not made of what the header says
   * @throws JsonFormatException if the journal is not in the format, or the scheduler refuses an
   *     event
   */
  public static JournalReplay of(EventJournalReader journal, Scheduler scheduler) {
    return of(journal, scheduler, (event, decisions) -> {});
  }

  /** Does the same and tells somebody of each event and what was decided after it. */
  static JournalReplay of(
      EventJournalReader journal,
      Scheduler scheduler,
      BiConsumer<? super ClusterEvent, ? super List<Decision>> hears) {
    journal.header().requireParameters(scheduler.parameters());
    DecisionsDigest digest = new DecisionsDigest();
    Optional<Divergence> divergence = Optional.empty();
    long events = 0;
    while (journal.hasNext() && divergence.isEmpty()) {
      JournalEntry entry = journal.next();
      List<Decision> decided = take(journal, entry, scheduler);
      hears.accept(entry.event(), decided);
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

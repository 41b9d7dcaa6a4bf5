package io.github.liquidscheduler.scheduler.combination;

import java.util.List;
import java.util.function.Predicate;

/**
 * What features of two slots mean together.
 *
 * @param first the slot that comes first
 * @param sentence the rule that both follow, for people
 * @param shownBy which decisions can show it
 */
record Meaning(Slot first, Slot second, String sentence, Predicate<Told> shownBy) {

  /** Returns a meaning that decisions of these kinds can show. */
  static Meaning of(Slot first, Slot second, String sentence, Kind... kinds) {
    return new Meaning(
        first, second, sentence, told -> List.of(kinds).stream().anyMatch(kind -> kind.is(told)));
  }
}

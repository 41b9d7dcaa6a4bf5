package io.github.liquidscheduler.architecture;

import java.util.regex.Pattern;

/** Words that once stood for a standard term of the field. */
public final class FormerWords {

  /** Fenzo has its own shortfalls. */
  private static final Pattern FORMER =
      Pattern.compile(
          "\\bcompan(y|ies)\\b|newcomer|\\bseat(s|ed|ing)\\b|\\blessons?\\b|\\b(im)?patient\\b"
              + "|overtak|damage|(?<!disable)shortfall|near(est)?.?miss|fifo-skip|ruined"
              + "|occupant|crowd|outranked|best liked|contender|complaint|parting|strangers"
              + "|over-ask|under-ask|JobWithdrawn|JobRevised|SlowsDown|PaysOff|notNow|NOT_NOW",
          Pattern.CASE_INSENSITIVE);

  private FormerWords() {}

  /** Returns whether a text has one of them. */
  public static boolean areIn(String text) {
    return FORMER.matcher(text).find();
  }
}

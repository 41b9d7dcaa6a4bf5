package io.github.liquidscheduler.lab.conformance.peer;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import java.util.function.Supplier;

/** The refusal of a case: the field that cannot be, and the rule that it breaks, in one line. */
public final class Refusal extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 300;
  private static final CharMatcher BREAKS =
      CharMatcher.javaIsoControl().or(CharMatcher.anyOf("\u2028\u2029"));

  private Refusal(String message) {
    super(message);
  }

  /**
   * Returns the refusal of a field.
   *
   * @param field where it lies in the case; empty for the whole case
   * @param rule what must hold, and what does instead
   */
  public static Refusal of(String field, String rule) {
    String message = field.isEmpty() ? rule : field + ": " + rule;
    return new Refusal(oneLine(message));
  }

  /** Returns a text in one line, and cut if it is far too long. */
  public static String oneLine(String text) {
    return Ascii.truncate(BREAKS.replaceFrom(text, ' '), LONGEST, "...");
  }

  /**
   * Returns what is made of a field.
   *
   * @throws Refusal if it is refused; its field is this one unless it names another itself
   */
  public static <T> T locating(String field, Supplier<T> made) {
    try {
      return made.get();
    } catch (Refusal e) {
      throw e;
    } catch (IllegalArgumentException e) {
      Refusal refusal = of(field, String.valueOf(e.getMessage()));
      refusal.initCause(e);
      throw refusal;
    }
  }
}

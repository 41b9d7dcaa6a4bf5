package io.github.liquidscheduler.slurm;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The administrator's comment of a job. The explanation is what follows {@code liquid:}, to its
 * end. What comes before belongs to others and is kept, and so are words such as {@code
 * liquid.begin=1796055189}.
 *
 * @param kept what is not the explanation
 */
record AdminComment(String kept) {

  private static final String EXPLANATION = "liquid: ";

  /** The longest explanation, in characters. */
  private static final int LONGEST = 1000;

  private static final Pattern OURS = Pattern.compile("(?<!\\S)liquid\\.(?:begin|required)=\\S*");

  private static final Pattern REQUIRED = Pattern.compile("(?<!\\S)liquid\\.required=(\\S*)");

  static AdminComment of(String comment) {
    int explanation = comment.indexOf(EXPLANATION);
    boolean isWord =
        explanation == 0 || (explanation > 0 && comment.charAt(explanation - 1) == ' ');
    return new AdminComment((isWord ? comment.substring(0, explanation) : comment).strip());
  }

  /**
   * Returns the nodes that its user required, as a list; empty if the required nodes of the job are
   * still its user's.
   */
  Optional<String> required() {
    Matcher required = REQUIRED.matcher(kept);
    return required.find()
        ? Optional.of(required.group(1).equals("-") ? "" : required.group(1))
        : Optional.empty();
  }

  /** Returns the comment that notes which nodes the user required before it was pinned. */
  AdminComment withRequired(String nodes) {
    return required().isPresent()
        ? this
        : new AdminComment((kept + " liquid.required=" + (nodes.isEmpty() ? "-" : nodes)).strip());
  }

  /** Returns what only others wrote. */
  String ofOthers() {
    return OURS.matcher(kept).replaceAll("").replaceAll("\\s+", " ").strip();
  }

  /** Returns the whole comment with an explanation, on one line; empty shows none. */
  String with(String explanation) {
    String text = explanation.replaceAll("\\s+", " ").strip();
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
    return cut.isEmpty() ? kept : (kept + " " + EXPLANATION + cut).strip();
  }
}

package io.github.liquidscheduler.json;

import io.github.liquidscheduler.text.Count;

/**
 * The limits beyond which a reader refuses. A document beyond a limit is refused as soon as the
 * limit is passed, without being read to its end.
 *
 * @param maxDocumentCharacters the longest document, and the longest first line of a journal, at
 *     least 1; a file of {@code n} bytes has at most {@code n} characters
 * @param maxLineBytes the longest line of a journal after its first, at least 1
 * @param maxTokens how many names, values and brackets a document may have, at least 1; each takes
 *     about 100 bytes of memory, however short it is
 * @param maxDepth how deep objects and arrays may be nested, from 1 to 500
 */
public record JsonLimits(int maxDocumentCharacters, int maxLineBytes, int maxTokens, int maxDepth) {

  /**
   * For documents of others: 64 Mi characters in a document, 8 MiB in a line of a journal, ten
   * million tokens, 64 levels deep.
   */
  public static final JsonLimits DEFAULT = new JsonLimits(64 << 20, 8 << 20, 10_000_000, 64);

  /**
   * For what a scheduler's embedder has written itself, journals and snapshots, in which one line
   * may hold a plan for thousands of gangs, or a million jobs: a gibi of characters and of bytes,
   * any number of tokens, 64 levels deep. What is read must fit into the memory of the process.
   */
  public static final JsonLimits RECORDS =
      new JsonLimits(1 << 30, 1 << 30, Integer.MAX_VALUE, DEFAULT.maxDepth());

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a limit is out of its range
   */
  public JsonLimits {
    if (maxDocumentCharacters < 1 || maxLineBytes < 1 || maxTokens < 1) {
      throw new IllegalArgumentException(
          "limits of size must be at least 1, but were %s, %s and %s"
              .formatted(
                  Count.of(maxDocumentCharacters, "character"),
                  Count.of(maxLineBytes, "byte"),
                  Count.of(maxTokens, "token")));
    }
    if (maxDepth < 1 || maxDepth > 500) {
      throw new IllegalArgumentException(
          "the limit of depth must be from 1 to 500, but was " + maxDepth);
    }
  }
}

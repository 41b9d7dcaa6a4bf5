package io.github.liquidscheduler.formats.slurm;

import io.github.liquidscheduler.formats.input.Token;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The entries of a {@code topology.conf}: lines of {@code Key=Value}. Case does not matter in keys.
 */
public final class SlurmEntries {

  private static final List<String> KEYS =
      List.of("SwitchName", "Switches", "Nodes", "LinkSpeed", "BlockName", "BlockSizes");

  private SlurmEntries() {}

  /** Returns the entries, of known keys each of which comes once in an entry. */
  public static List<Entry> of(String source, List<String> lines) {
    return SlurmLines.of(source, lines).stream().map(SlurmEntries::entry).toList();
  }

  private static Entry entry(List<Token> words) {
    Map<String, Token> values = new TreeMap<>();
    for (Token word : words) {
      int equals = word.text().indexOf('=');
      if (equals < 1 || equals == word.text().length() - 1) {
        throw word.error("an entry must be made of KEY=VALUE");
      }
      String key = key(word.part(0, equals));
      if (values.put(key, word.part(equals + 1, word.text().length())) != null) {
        throw word.error("a key must come once in an entry");
      }
    }
    return new Entry(words.getFirst(), values);
  }

  private static String key(Token word) {
    return KEYS.stream()
        .filter(key -> key.equalsIgnoreCase(word.text()))
        .findFirst()
        .map(key -> key.toLowerCase(Locale.ROOT))
        .orElseThrow(() -> word.error("a key must be one of " + KEYS));
  }

  /** One entry: its first word, and its values by the key in lower case. */
  public record Entry(Token first, Map<String, Token> values) {

    /** Returns the value of a key, in any case; empty if it is not there. */
    public Optional<Token> value(String key) {
      return Optional.ofNullable(values.get(key.toLowerCase(Locale.ROOT)));
    }

    /** Returns true if the key is there. */
    public boolean has(String key) {
      return value(key).isPresent();
    }
  }
}

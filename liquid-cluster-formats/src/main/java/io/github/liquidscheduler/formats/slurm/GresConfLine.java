package io.github.liquidscheduler.formats.slurm;

import com.google.common.collect.ImmutableSet;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.Token;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A line of {@code gres.conf}: its values by the key in lower case, and the nodes it names. */
public record GresConfLine(Map<String, Token> values, ImmutableSet<String> nodes) {

  private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");
  private static final Set<String> KEYS =
      Set.of(
          "nodename",
          "name",
          "type",
          "file",
          "multiplefiles",
          "count",
          "autodetect",
          "cores",
          "cpus",
          "links",
          "flags",
          "plugin",
          "ignore");

  /** Returns a line that has no other values than those of the manual. */
  public static GresConfLine of(List<Token> words) {
    Map<String, Token> values = SlurmLines.values(words);
    if (values.size() < words.size() || !KEYS.containsAll(values.keySet())) {
      throw words
          .getFirst()
          .error("a line must be as in NodeName=n1 Name=gpu Type=a100 File=/dev/nvidia[0-7]");
    }
    return new GresConfLine(
        values,
        value(values, "nodename").stream()
            .flatMap(list -> HostList.expand(list).stream())
            .map(Token::text)
            .collect(ImmutableSet.toImmutableSet()));
  }

  /** Returns true if the line names the node, or none. */
  public boolean isAbout(String node) {
    return nodes.isEmpty() || nodes.contains(node);
  }

  /** Returns the kind of device, such as {@code gpu}; empty if the line is about none. */
  public Optional<String> name() {
    return value(values, "name").map(Token::text);
  }

  /** Returns true if the devices are GPUs. */
  public boolean isOfGpus() {
    return name().filter("gpu"::equals).isPresent();
  }

  /** Returns the model of the GPUs, if it is told. */
  public Optional<String> type() {
    return value(values, "type").map(Token::text);
  }

  /** Returns the way in which the node finds its GPUs; empty if it does not. */
  public Optional<Token> detection() {
    return value(values, "autodetect").filter(way -> !way.text().equalsIgnoreCase("off"));
  }

  /**
   * Returns the number of GPUs: of files if there are, one for a set of files, and none if the node
   * finds them itself.
   */
  public int gpus() {
    Optional<Token> count = value(values, "count");
    Optional<Token> files = value(values, "file");
    if (count.isPresent() && !COUNT.matcher(count.get().text()).matches()) {
      throw count.get().error("a number of GPUs must be whole and not negative");
    }
    Optional<Integer> counted = count.map(token -> Integer.valueOf(token.text()));
    Optional<Integer> named = files.map(list -> HostList.expand(list).size());
    if (count.isPresent() && named.isPresent() && !counted.equals(named)) {
      throw count.get().error("Count must be that of the files, which is " + named.get());
    }
    boolean isOne = values.containsKey("multiplefiles") || detection().isEmpty();
    int gpus = named.or(() -> counted).orElse(isOne ? 1 : 0);
    if (gpus > Node.MAX_GPUS) {
      throw count
          .or(() -> files)
          .orElseThrow()
          .error("a node must have at most " + Node.MAX_GPUS + " GPUs");
    }
    return gpus;
  }

  private static Optional<Token> value(Map<String, Token> values, String key) {
    return Optional.ofNullable(values.get(key));
  }
}

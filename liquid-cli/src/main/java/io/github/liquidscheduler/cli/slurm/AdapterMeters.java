package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.reconcile.Reconciler;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a reconciler has done, in Prometheus' text format. */
final class AdapterMeters {

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private AdapterMeters() {}

  static String text(Reconciler.Counts counts) {
    StringBuilder text = new StringBuilder();
    type(text, "liquid_passes_total", "counter", "Passes that were complete.");
    text.append("liquid_passes_total ").append(counts.passes()).append('\n');
    type(text, "liquid_listing_seconds", "gauge", "How long the last listing took.");
    text.append(
        String.format(
            Locale.ROOT, "liquid_listing_seconds %.3f%n", counts.listing().toNanos() / NANOS));
    kinds(text, "liquid_differences_total", "Events that were told.", counts.events());
    kinds(text, "liquid_commands_total", "Commands that were sent.", counts.commands());
    kinds(text, "liquid_commands_refused_total", "Commands that were refused.", counts.refused());
    kinds(text, "liquid_adapter_failures_total", "What failed, by kind.", counts.failures());
    return text.toString();
  }

  private static void kinds(
      StringBuilder text, String name, String help, Map<String, Long> counts) {
    type(text, name, "counter", help);
    counts.forEach(
        (kind, count) -> text.append("%s{kind=\"%s\"} %d%n".formatted(name, escaped(kind), count)));
  }

  private static void type(StringBuilder text, String name, String type, String help) {
    text.append("# HELP %1$s %2$s%n# TYPE %1$s %3$s%n".formatted(name, help, type));
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}

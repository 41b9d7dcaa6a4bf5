package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Co-location as its parameters name it. The predictor and the placer of jobs that do not share are
 * not among them.
 *
 * @param values the parameters
 */
record RecordedColocation(Map<String, String> values) {
  private static final String MODE_OF = "mode of ";
  private static final String ABOVE = "above utilization ";
  private static final Pattern RESIDENTS =
      Pattern.compile("(TimeSlicing|Mps)\\[maxResidents=(\\d+)]");
  private static final Pattern SLICE = Pattern.compile("MigSlice\\[compute=([\\d.]+) %]");

  /**
   * Returns the configuration.
   *
   * @throws IllegalArgumentException if a part of it was the embedder's own, so that only the
   *     embedder's program can replay it
   */
  Colocation read(InterferencePredictor predictor, Placer base) {
    Colocation.Builder colocation = Colocation.builder(rule(predictor)).base(base);
    colocation.trigger(value("trigger", RecordedColocation::trigger));
    colocation.mode(value("mode", RecordedColocation::mode));
    values.keySet().stream()
        .filter(name -> name.startsWith(MODE_OF))
        .forEach(
            name ->
                colocation.mode(
                    GpuModel.of(name.substring(MODE_OF.length())),
                    value(name, RecordedColocation::mode)));
    return colocation
        .spanPenalty(value("span penalty", RecordedColocation::number))
        .tolerance(value("tolerance", RecordedColocation::number))
        .leastBenefit(value("least benefit", RecordedColocation::number))
        .build();
  }

  private PredictedSlowdownRule rule(InterferencePredictor predictor) {
    PredictedSlowdownRule.Builder rule = PredictedSlowdownRule.builder(predictor);
    String name = rule.build().name();
    value("policy", policy -> policy.equals(name) ? Optional.of(policy) : Optional.empty());
    return rule.maxSlowdown(value("max slowdown", RecordedColocation::number))
        .opportunisticFloor(value("opportunistic floor", RecordedColocation::number))
        .loadWeight(value("load weight", RecordedColocation::number))
        .costOfEmpty(value("cost of empty", RecordedColocation::number))
        .build();
  }

  private static Optional<SharingTrigger> trigger(String name) {
    if (name.startsWith(ABOVE)) {
      return number(name.substring(ABOVE.length())).map(SharingTrigger::aboveUtilization);
    }
    return Stream.of(SharingTrigger.always(), SharingTrigger.onlyWhenFull())
        .filter(trigger -> trigger.name().equals(name))
        .findFirst();
  }

  private static Optional<SharingMode> mode(String text) {
    Matcher residents = RESIDENTS.matcher(text);
    if (residents.matches()) {
      int most = Integer.parseInt(residents.group(2));
      return Optional.of(
          residents.group(1).equals("Mps")
              ? new SharingMode.Mps(most)
              : new SharingMode.TimeSlicing(most));
    }
    Matcher slice = SLICE.matcher(text);
    return slice.matches()
        ? number(slice.group(1))
            .map(percent -> new SharingMode.MigSlice(GpuShare.of(percent / 100)))
        : Optional.empty();
  }

  private static Optional<Double> number(String text) {
    try {
      return Optional.of(Double.valueOf(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private <T> T value(String name, Function<String, Optional<T>> parse) {
    String recorded = values.getOrDefault(name, "");
    return parse
        .apply(recorded)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    ("co-location must be one that can be made from its parameters, but its %s was"
                            + " '%s'. Use JournalReplay in the program that has it")
                        .formatted(name, recorded)));
  }
}

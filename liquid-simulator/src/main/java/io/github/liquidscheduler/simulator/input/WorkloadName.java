package io.github.liquidscheduler.simulator.input;

import io.github.liquidscheduler.job.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of workload names in traces, as in Gavel: {@code ResNet-18 (batch size 16)}, with a
 * precision {@code ResNet-18 (batch size 16, precision fp16)}.
 */
public final class WorkloadName {

  private static final Pattern DETAILED =
      Pattern.compile(
          "(.+) \\((?:batch size (\\d{1,9})(?:, precision ([^()]+))?|precision ([^()]+))\\)");

  private WorkloadName() {}

  /** Returns the name of a workload: its family, and what is known of batch size and precision. */
  public static String of(Workload workload) {
    return of(workload.family(), workload.batchSize(), workload.precision());
  }

  /** Returns a name of these parts. */
  public static String of(String family, OptionalInt batchSize, Optional<String> precision) {
    List<String> details = new ArrayList<>();
    batchSize.ifPresent(samples -> details.add("batch size " + samples));
    precision.ifPresent(each -> details.add("precision " + each));
    return details.isEmpty() ? family : "%s (%s)".formatted(family, String.join(", ", details));
  }

  /** Returns the workload of this name; what is in no such form is a family as a whole. */
  public static Workload parse(String name) {
    Matcher detailed = DETAILED.matcher(name);
    if (!detailed.matches()) {
      return Workload.builder(name).build();
    }
    Workload.Builder workload = Workload.builder(detailed.group(1));
    Optional.ofNullable(detailed.group(2))
        .map(Integer::parseInt)
        .filter(samples -> samples > 0)
        .ifPresent(workload::batchSize);
    Optional.ofNullable(detailed.group(3))
        .or(() -> Optional.ofNullable(detailed.group(4)))
        .ifPresent(workload::precision);
    return workload.build();
  }
}

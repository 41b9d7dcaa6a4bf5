package io.github.liquidscheduler.benchmarks.batch;

import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes an instance as JSON for others to solve: {@code cluster.json}, {@code jobs.json}, {@code
 * running.json} and, as a plan that starts them, where those run: {@code places.json}.
 */
final class InstanceFiles {

  private InstanceFiles() {}

  /** Writes an instance into a folder of its name. */
  static void write(Instance instance, Path parent) {
    Path folder = parent.resolve(instance.name());
    PlanCertificate nothing = new PlanCertificate(0, 0, 0, 0, List.of());
    BatchPlan places = new BatchPlan(0, instance.placements(), List.of(), List.of(), nothing);
    try {
      Files.createDirectories(folder);
      Files.writeString(
          folder.resolve("cluster.json"), JsonCodecs.CLUSTER.write(instance.cluster()));
      Files.writeString(folder.resolve("jobs.json"), JsonCodecs.JOBS.write(instance.pending()));
      Files.writeString(folder.resolve("running.json"), JsonCodecs.JOBS.write(instance.running()));
      Files.writeString(folder.resolve("places.json"), JsonCodecs.PLAN.write(places));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

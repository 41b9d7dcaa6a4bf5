package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** The reason of a start: its turn, and its speed on the chosen GPUs. */
final class ScheduledReason {

  private ScheduledReason() {}

  static Reason of(JobTable table, JobEntry job, Placement placement) {
    Reason.Scheduled turn =
        new Reason.Scheduled(table.policy().name(), table.eligible().position(job));
    ClusterTopology topology = table.cluster().topology();
    Optional<Reason> compared =
        table
            .speeds()
            .map(speeds -> speeds.of(job.job(), job.history().gpuSpeeds(), topology))
            .flatMap(speeds -> compared(turn, speeds, placement, topology));
    return compared.orElse(turn);
  }

  /** Returns the speed relative to the best other model; empty if unknown. */
  private static Optional<Reason> compared(
      Reason.Scheduled turn,
      Map<GpuModel, Double> speeds,
      Placement placement,
      ClusterTopology topology) {
    Optional<GpuModel> model =
        topology.models(placement).stream()
            .filter(speeds::containsKey)
            .min(Comparator.comparingDouble(speeds::get));
    return model.flatMap(
        there ->
            speeds.keySet().stream()
                .filter(other -> !other.equals(there))
                .findFirst()
                .map(
                    other ->
                        new Reason.ScheduledOn(
                            turn.policy(),
                            turn.bypassed(),
                            there,
                            speeds.getOrDefault(there, 1.0) / speeds.getOrDefault(other, 1.0),
                            other)));
  }
}

package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.lab.reference.elastic.ServiceQueues;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What can differ between comparisons of policies for elastic jobs.
 *
 * @param durations the name of the durations, see {@link DurationQuantiles#named}
 * @param sizes the submitted sizes
 * @param queues the queues of Tiresias
 * @param cost what a change of size costs
 */
public record ElasticConditions(
    String durations, SizeMix sizes, ServiceQueues queues, ScalingCost cost) {

  /** Three queues that are lists, as in the published simulator of Tiresias. */
  private static final ServiceQueues THREE = new ServiceQueues(List.of(3250.0, 7200.0), true);

  private static final List<String> DURATIONS =
      List.of("philly-8h", "philly-24h", "philly-72h", "log-uniform");

  /** Returns these conditions and all that differ from them in one thing. */
  public List<ElasticConditions> withVariations() {
    List<ElasticConditions> all = new ArrayList<>(List.of(this));
    DURATIONS.forEach(other -> all.add(new ElasticConditions(other, sizes, queues, cost)));
    Stream.of(SizeMix.values())
        .forEach(other -> all.add(new ElasticConditions(durations, other, queues, cost)));
    all.add(new ElasticConditions(durations, sizes, THREE, cost));
    Stream.of(ScalingCost.values())
        .forEach(other -> all.add(new ElasticConditions(durations, sizes, queues, other)));
    return all.stream().distinct().toList();
  }

  /** Returns the comparison under these conditions. */
  public ElasticComparison comparison(
      ElasticWorkload.Scale scale, double load, ElasticComparison.Seeds seeds) {
    return new ElasticComparison(workload(scale, load), queues, cost, seeds);
  }

  /**
   * Returns the comparison by the scheduler itself under these conditions, but for the queues,
   * without stragglers.
   *
   * @param gpusPerNode the GPUs of each node
   * @param spreadSpeed how fast a job is on more nodes than it needs
   */
  public ScheduledComparison scheduled(
      ElasticWorkload.Scale scale,
      double load,
      ElasticComparison.Seeds seeds,
      int gpusPerNode,
      double spreadSpeed) {
    return new ScheduledComparison(
        workload(scale, load), gpusPerNode, spreadSpeed, cost, seeds, Optional.empty());
  }

  private ElasticWorkload workload(ElasticWorkload.Scale scale, double load) {
    return new ElasticWorkload(
        scale.curves(),
        DurationQuantiles.named(durations),
        scale.jobs(),
        scale.gpus(),
        load,
        sizes,
        scale.profile());
  }

  /** Returns a label for people. */
  public String label() {
    return "%s, %s sizes, %s, cost %s"
        .formatted(
            durations,
            sizes.mixName(),
            Count.of(queues.thresholds().size() + 1, "queue"),
            cost.name().toLowerCase(Locale.ROOT));
  }
}

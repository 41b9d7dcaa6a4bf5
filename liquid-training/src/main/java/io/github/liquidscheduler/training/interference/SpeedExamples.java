package io.github.liquidscheduler.training.interference;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.ClassOnGpu;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Turns measurements into examples. What is said of the history of a class must not come from the
 * measurement that is to be predicted, so each measurement gives up to four examples: both
 * histories known but without this pair; the history of one side only, and without the other's
 * whole family, as if that had never been seen; and no history at all.
 */
public final class SpeedExamples {

  /** What one class met on a GPU model, and how far from the mean it ended. */
  private record Meeting(WorkloadClass other, double deviation) {}

  private final ClassHistory history = new ClassHistory();
  private final List<Measurement> measurements;
  private final ListMultimap<ClassOnGpu, Meeting> asVictim = ArrayListMultimap.create();
  private final ListMultimap<ClassOnGpu, Meeting> asAggressor = ArrayListMultimap.create();

  /** Makes the examples of the measured ones among measurements. */
  public SpeedExamples(List<Measurement> all) {
    measurements = all.stream().filter(Measurement::isMeasured).toList();
    setMeans();
    HeldOut.isolated(history, all);
    measurements.forEach(this::addMeeting);
    history.setEffects(EffectsFit.of(measurements, history));
  }

  private void setMeans() {
    speeds(measurements).forEach((gpu, values) -> history.setMean(gpu, Sample.of(values).mean()));
  }

  /** Returns the retained speeds on each GPU model. */
  public static Map<GpuModel, List<Double>> speeds(List<Measurement> measurements) {
    ListMultimap<GpuModel, Double> speeds = MultimapBuilder.treeKeys().arrayListValues().build();
    measurements.forEach(each -> speeds.put(each.gpu(), each.retainedSpeed()));
    return Multimaps.asMap(speeds);
  }

  private void addMeeting(Measurement each) {
    double deviation = each.retainedSpeed() - history.mean(each.gpu());
    WorkloadClass victim = each.victimClass();
    WorkloadClass other = each.coRunnerClass();
    history.colocated(victim, other, each.gpu(), each.retainedSpeed());
    asVictim.put(new ClassOnGpu(victim, each.gpu()), new Meeting(other, deviation));
    asAggressor.put(new ClassOnGpu(other, each.gpu()), new Meeting(victim, deviation));
  }

  /** Returns the history of the workload classes in the examples. */
  public ClassHistory history() {
    return history;
  }

  /** Returns one example per measurement, both histories known but without the pair itself. */
  public List<Example> familiar() {
    List<Example> examples = new ArrayList<>();
    for (Measurement each : measurements) {
      examples.add(
          example(
              each,
              sensitivity(each, other -> !other.equals(each.coRunnerClass())),
              pressure(each, other -> !other.equals(each.victimClass()))));
    }
    return examples;
  }

  /** Returns the examples in which one side or both have no history, and the familiar ones. */
  public List<Example> general() {
    List<Example> examples = new ArrayList<>(familiar());
    for (Measurement each : measurements) {
      String victimFamily = each.victimClass().family();
      String otherFamily = each.coRunnerClass().family();
      if (!victimFamily.equals(otherFamily)) {
        double sensitivity = sensitivity(each, other -> !other.family().equals(otherFamily));
        double pressure = pressure(each, other -> !other.family().equals(victimFamily));
        examples.add(example(each, sensitivity, Double.NaN));
        examples.add(example(each, Double.NaN, pressure));
      }
      examples.add(example(each, Double.NaN, Double.NaN));
    }
    return examples;
  }

  private Example example(Measurement each, double sensitivity, double pressure) {
    double[] row = PairFeatures.row(each.victim(), each.coRunner(), each.gpu(), history);
    PairFeatures.hideEstimates(row);
    PairFeatures.setSensitivity(row, sensitivity);
    PairFeatures.setPressure(row, pressure);
    return new Example(row, each.gpu(), each.retainedSpeed());
  }

  private double sensitivity(Measurement each, Predicate<WorkloadClass> counted) {
    return mean(asVictim.get(new ClassOnGpu(each.victimClass(), each.gpu())), counted);
  }

  private double pressure(Measurement each, Predicate<WorkloadClass> counted) {
    return mean(asAggressor.get(new ClassOnGpu(each.coRunnerClass(), each.gpu())), counted);
  }

  private static double mean(List<Meeting> meetings, Predicate<WorkloadClass> counted) {
    double sum = 0;
    int count = 0;
    for (Meeting meeting : meetings) {
      if (counted.test(meeting.other())) {
        sum += meeting.deviation();
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / (count + 1);
  }
}

package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.GpuSequencePlan;
import io.github.liquidscheduler.rounds.RoundTask;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON form of tasks of rounds, of how long they take, and of their sequences on GPUs. */
final class RoundJson {

  /** The job, the round and the task, with slashes between them. */
  static final Form<RoundTask> TASK = Form.TEXT.as(RoundJson::task, RoundTask::toString);

  /** The seconds by the name of the model. */
  static final Form<ComputeTimes> TIMES =
      Form.NUMBER.entries().as(RoundJson::times, RoundJson::byName);

  /** The tasks of each GPU. */
  static final Form<GpuSequencePlan> SEQUENCES =
      RecordForm.of(SequenceFields.class)
          .form()
          .list()
          .as(
              RoundJson::plan,
              plan -> plan.sequences().entrySet().stream().map(RoundJson::fields).toList());

  private static final Pattern TASK_PARTS = Pattern.compile("(.+)/(\\d{1,9})/(\\d{1,9})");

  // Never iterated.
  static final Map<Class<?>, Form<?>> FORMS =
      Map.of(RoundTask.class, TASK, ComputeTimes.class, TIMES, GpuSequencePlan.class, SEQUENCES);

  record SequenceFields(GpuId gpu, List<RoundTask> tasks) {}

  private RoundJson() {}

  private static RoundTask task(String text) {
    Matcher parts = TASK_PARTS.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a task of a round must be like 'train-7/3/0', but was '" + text + "'");
    }
    return new RoundTask(
        JobId.of(parts.group(1)),
        Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)));
  }

  private static ComputeTimes times(Map<String, Double> byName) {
    Map<GpuModel, Double> seconds = new TreeMap<>();
    byName.forEach((name, time) -> seconds.put(GpuModel.of(name), time));
    return new ComputeTimes(seconds);
  }

  private static Map<String, Double> byName(ComputeTimes times) {
    Map<String, Double> byName = new LinkedHashMap<>();
    times.seconds().forEach((model, time) -> byName.put(model.name(), time));
    return byName;
  }

  private static GpuSequencePlan plan(List<SequenceFields> read) {
    Map<GpuId, List<RoundTask>> sequences = new LinkedHashMap<>();
    for (SequenceFields fields : read) {
      if (sequences.put(fields.gpu(), fields.tasks()) != null) {
        throw new IllegalArgumentException(
            "a GPU must have one sequence, but " + fields.gpu() + " has several");
      }
    }
    return new GpuSequencePlan(sequences);
  }

  private static SequenceFields fields(Map.Entry<GpuId, List<RoundTask>> sequence) {
    return new SequenceFields(sequence.getKey(), sequence.getValue());
  }
}

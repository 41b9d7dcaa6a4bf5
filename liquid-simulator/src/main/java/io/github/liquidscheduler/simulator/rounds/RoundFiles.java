package io.github.liquidscheduler.simulator.rounds;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import io.github.liquidscheduler.rounds.planner.switching.PublishedModel;
import io.github.liquidscheduler.rounds.planner.switching.TrainedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The two CSV files that describe jobs that train in rounds. */
public final class RoundFiles {

  private static final String JOB = "job";
  private static final String ARRIVAL = "arrival";
  private static final String WEIGHT = "weight";
  private static final String ROUNDS = "rounds";
  private static final String SCALE = "scale";
  private static final String MODEL = "model";
  private static final String MEMORY = "memory_gib";
  private static final String GPU_MODEL = "gpu_model";
  private static final String COMPUTE = "compute_seconds";
  private static final String SYNCHRONIZE = "sync_seconds";

  private static final long MOST_ROUNDS = 10_000_000;
  private static final long MOST_TASKS = 100_000;

  private RoundFiles() {}

  /**
   * Reads jobs with the columns {@code job,arrival,weight,rounds,scale} and how long their tasks
   * take with the columns {@code job,gpu_model,compute_seconds,sync_seconds}; times are in seconds.
   *
   * @param models the GPU models that are needed of every job
   * @throws InputFormatException if there is no such file, it cannot be read, a row is wrong, or a
   *     job lacks the times of a model
   */
  public static List<RoundJob> read(Path jobs, Path times, Collection<GpuModel> models) {
    Table<JobId, GpuModel, TaskTime> timesOf = times(times);
    List<RoundJob> read = new ArrayList<>();
    Set<JobId> seen = new HashSet<>();
    for (Row row : Rows.read(jobs, JOB, ARRIVAL, WEIGHT, ROUNDS, SCALE)) {
      JobId id = id(row);
      if (!seen.add(id)) {
        throw row.error(JOB, "must come once");
      }
      Map<GpuModel, TaskTime> own = timesOf.row(id);
      for (GpuModel model : models) {
        if (!own.containsKey(model)) {
          throw row.error(JOB, "must have times for GPU model '" + model + "' in " + times);
        }
      }
      read.add(job(row, id, own));
    }
    if (read.isEmpty()) {
      throw new InputFormatException(jobs + ": there must be at least one job, but was none");
    }
    return read;
  }

  /**
   * Reads what jobs train from the same file, with the columns {@code job,model} and, if it is
   * there, {@code memory_gib}.
   *
   * @throws InputFormatException if there is no such file, it cannot be read, or a row is wrong
   */
  public static List<TrainedModel> readModels(Path jobs) {
    List<TrainedModel> read = new ArrayList<>();
    for (Row row : Rows.read(jobs, JOB, MODEL)) {
      double gib =
          row.optionalText(MEMORY).isEmpty() ? Double.POSITIVE_INFINITY : row.positive(MEMORY);
      read.add(new TrainedModel(id(row), published(row), gib));
    }
    return read;
  }

  private static PublishedModel published(Row row) {
    try {
      return PublishedModel.named(row.text(MODEL));
    } catch (IllegalArgumentException e) {
      throw row.error(MODEL, "must be one whose switching times are known: " + e.getMessage());
    }
  }

  private static RoundJob job(Row row, JobId id, Map<GpuModel, TaskTime> times) {
    return new RoundJob(
        id,
        row.notNegative(ARRIVAL),
        row.positive(WEIGHT),
        (int) row.whole(ROUNDS, 1, MOST_ROUNDS),
        (int) row.whole(SCALE, 1, MOST_TASKS),
        times);
  }

  private static Table<JobId, GpuModel, TaskTime> times(Path file) {
    Table<JobId, GpuModel, TaskTime> times = HashBasedTable.create();
    for (Row row : Rows.read(file, JOB, GPU_MODEL, COMPUTE, SYNCHRONIZE)) {
      TaskTime time = new TaskTime(row.positive(COMPUTE), row.notNegative(SYNCHRONIZE));
      if (times.put(id(row), model(row), time) != null) {
        throw row.error(GPU_MODEL, "must come once for each job");
      }
    }
    return times;
  }

  private static JobId id(Row row) {
    try {
      return JobId.of(row.text(JOB));
    } catch (IllegalArgumentException e) {
      throw row.error(JOB, "must be an id: " + e.getMessage());
    }
  }

  private static GpuModel model(Row row) {
    try {
      return GpuModel.of(row.text(GPU_MODEL));
    } catch (IllegalArgumentException e) {
      throw row.error(GPU_MODEL, "must be the name of a GPU model: " + e.getMessage());
    }
  }
}

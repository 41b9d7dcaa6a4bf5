package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplication;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads the workloads of the Pollux artefact. */
public final class GoodputWorkload {

  private static final String APPLICATION = "application";
  private static final long LATEST = 36_500L * 86_400;
  private static final int MOST_GPUS = 1 << 16;

  private GoodputWorkload() {}

  /**
   * Returns the jobs of a CSV file with the columns {@code
   * name,time,application,num_replicas,batch_size}, in its order.
   *
   * @throws InputFormatException if it cannot be read, has no job or a row is wrong
   */
  public static List<GoodputJob> read(Path file, Map<String, MeasuredApplication> applications) {
    List<Row> rows = Rows.read(file, "name", "time", APPLICATION, "num_replicas", "batch_size");
    if (rows.isEmpty()) {
      throw new InputFormatException(file + ": a workload must have at least one job");
    }
    return rows.stream().map(row -> job(row, applications)).toList();
  }

  private static GoodputJob job(Row row, Map<String, MeasuredApplication> applications) {
    MeasuredApplication application = applications.get(row.text(APPLICATION));
    if (application == null) {
      throw row.error(APPLICATION, "must be one of " + String.join(", ", applications.keySet()));
    }
    BatchLimits limits = application.limits();
    return new GoodputJob(
        row.text("name"),
        row.whole("time", 0, LATEST),
        application,
        (int) row.whole("num_replicas", 1, MOST_GPUS),
        (int) row.whole("batch_size", limits.initial(), limits.largest()));
  }
}

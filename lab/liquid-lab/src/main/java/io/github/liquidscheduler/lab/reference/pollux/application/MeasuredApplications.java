package io.github.liquidscheduler.lab.reference.pollux.application;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads the measurements of the Pollux artefact: a folder for each application with {@code
 * placements.csv}, {@code scalability.csv} and a {@code validation-BATCH.csv} for each batch size.
 */
public final class MeasuredApplications {

  private static final int MOST = 1 << 20;
  private static final String STEP_TIME = "step_time";
  private static final String SYNC_TIME = "sync_time";
  private static final String LOCAL_BATCH = "local_bsz";
  private static final String VALIDATION = "validation-";
  private static final String CSV = ".csv";

  /** The epochs that end a training, by application; they are not in the files. */
  private static final Map<String, Integer> EPOCHS =
      Map.of(
          "bert", 2,
          "cifar10", 100,
          "ncf", 10,
          "imagenet", 90,
          "deepspeech2", 80,
          "yolov3", 50);

  /** Local batches above this do not fit into memory although they were measured. */
  private static final Map<String, Integer> LARGEST_LOCAL = Map.of("yolov3", 8);

  private MeasuredApplications() {}

  /**
   * Returns the applications by name.
   *
   * @throws InputFormatException if the folder, or a file in it, cannot be read or is wrong
   */
  public static SortedMap<String, MeasuredApplication> read(Path folder) {
    SortedMap<String, MeasuredApplication> applications = new TreeMap<>();
    EPOCHS.forEach(
        (name, epochs) -> applications.put(name, application(folder.resolve(name), name, epochs)));
    return applications;
  }

  private static MeasuredApplication application(Path folder, String name, int epochs) {
    Map<String, NavigableMap<Integer, StepTime>> byLayout =
        placements(folder.resolve("placements.csv"));
    List<CountedTime> byCount =
        StepTimes.counted(byLayout, scalability(folder.resolve("scalability.csv")));
    return new MeasuredApplication(
        name,
        new Convergence(runs(folder, epochs)),
        new StepTimes(byLayout, byCount, CellDivision.of(name, byCount)),
        LARGEST_LOCAL.getOrDefault(name, MOST),
        epochs);
  }

  private static Map<Integer, ValidationRun> runs(Path folder, int epochs) {
    Map<Integer, ValidationRun> runs = new TreeMap<>();
    for (Path file : validations(folder)) {
      String batch = String.valueOf(file.getFileName()).replace(VALIDATION, "").replace(CSV, "");
      ValidationRun run = run(file);
      if (run.epochs() < epochs || !batch.matches("\\d{1,9}")) {
        throw new InputFormatException(
            "%s: must have a batch size in its name and %s, but had %d"
                .formatted(file, Count.of(epochs, "row"), run.epochs()));
      }
      runs.put(Integer.parseInt(batch), run);
    }
    return runs;
  }

  private static List<Path> validations(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found =
          files
              .filter(file -> String.valueOf(file.getFileName()).startsWith(VALIDATION))
              .sorted()
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IOException e) {
      throw new InputFormatException(folder + ": must be a readable folder, but: " + e, e);
    }
    throw new InputFormatException(folder + ": must have a file validation-BATCH.csv");
  }

  private static ValidationRun run(Path file) {
    List<Row> rows = Rows.read(file, "progress", "iteration", "grad_sqr", "grad_var");
    return new ValidationRun(rows.stream().map(MeasuredApplications::epochEnd).toList());
  }

  private static ValidationRun.EpochEnd epochEnd(Row row) {
    return new ValidationRun.EpochEnd(
        row.positive("progress"),
        row.positive("iteration"),
        new GradientNoise(row.notNegative("grad_sqr"), row.notNegative("grad_var")));
  }

  private static Map<String, NavigableMap<Integer, StepTime>> placements(Path file) {
    Map<String, NavigableMap<Integer, StepTime>> byLayout = new HashMap<>();
    for (Row row : Rows.read(file, "placement", LOCAL_BATCH, STEP_TIME, SYNC_TIME)) {
      String layout = Long.toString(row.whole("placement", 1, MOST));
      byLayout
          .computeIfAbsent(layout, key -> new TreeMap<>())
          .put((int) row.whole(LOCAL_BATCH, 1, MOST), time(row));
    }
    return byLayout;
  }

  private static List<CountedTime> scalability(Path file) {
    return Rows.read(file, "num_nodes", "num_replicas", LOCAL_BATCH, STEP_TIME, SYNC_TIME).stream()
        .map(
            row ->
                new CountedTime(
                    (int) row.whole("num_nodes", 1, MOST),
                    (int) row.whole("num_replicas", 1, MOST),
                    (int) row.whole(LOCAL_BATCH, 1, MOST),
                    time(row)))
        .toList();
  }

  private static StepTime time(Row row) {
    return new StepTime(row.positive(STEP_TIME), row.positive(SYNC_TIME));
  }
}

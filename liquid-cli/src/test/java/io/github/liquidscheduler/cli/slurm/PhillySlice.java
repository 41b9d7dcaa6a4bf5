package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.shareddata.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Two days of the public table of Philly's jobs, brought to a cluster of 32 nodes with 8 GPUs each.
 * {@link SlurmPhillyTest} says how.
 *
 * @param day the first of the two days
 * @param jobs the jobs, by their submissions
 * @param brief the number of jobs of these days that are left out, since they are too short
 * @param thinned the number of jobs that are left out, since the load would be too high
 * @param cut the number of jobs whose run times were cut
 * @param shares the GPUs that each virtual cluster is guaranteed, by its name
 */
record PhillySlice(
    LocalDate day,
    List<TrialJob> jobs,
    int brief,
    int thinned,
    int cut,
    Map<String, Integer> shares) {

  /** The number of nodes, and that of the GPUs of each. */
  static final int NODES = 32;

  static final int GPUS_OF_NODE = 8;

  /** From how many GPUs a job counts as large. */
  static final int LARGE = 32;

  /** Before it the table has fewer than 20 jobs a day. */
  private static final LocalDate FIRST = LocalDate.parse("2017-09-24");

  private static final int DAYS = 2;
  private static final int GPU_FACTOR = 2;
  private static final double LONGEST_SECONDS = 12 * 3600.0;
  private static final double LOAD = 1.05;
  private static final double LEAST_SECONDS = 2;
  private static final double LEAST_OVERESTIMATE = 1.25;
  private static final double MOST_OVERESTIMATE = 4;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  /** A row of the table. */
  private record Row(
      LocalDateTime submitted, double seconds, int gpus, String cluster, double draw, double over) {

    static Row of(String line, int number) {
      String[] cells = line.split(",", -1);
      SplittableRandom random = new SplittableRandom(number);
      return new Row(
          LocalDateTime.parse(cells[0], TIME),
          Double.parseDouble(cells[1]),
          GPU_FACTOR * Integer.parseInt(cells[2]),
          cells[4],
          random.nextDouble(),
          random.nextDouble(LEAST_OVERESTIMATE, MOST_OVERESTIMATE));
    }

    boolean isLarge() {
      return gpus >= LARGE;
    }

    /** Returns the time of its GPUs within a time, in seconds. */
    double work(LocalDateTime end) {
      double left = Duration.between(submitted, end).toSeconds();
      return gpus * Math.min(Math.min(seconds, LONGEST_SECONDS), left);
    }
  }

  /**
   * Returns slices without a common day, those with the most large jobs; of equal ones the first.
   */
  static List<PhillySlice> mostLarge(int count, int speed) throws IOException {
    List<Row> rows = rows();
    Map<LocalDate, Integer> large = new TreeMap<>();
    LocalDate last = rows.getLast().submitted.toLocalDate();
    for (Row row : rows) {
      LocalDate day = row.submitted.toLocalDate();
      for (LocalDate first = day.minusDays(DAYS - 1);
          !first.isAfter(day);
          first = first.plusDays(1)) {
        boolean isWhole = !first.isBefore(FIRST) && !first.plusDays(DAYS).isAfter(last);
        if (row.isLarge() && isWhole && row.seconds / speed >= LEAST_SECONDS) {
          large.merge(first, 1, Integer::sum);
        }
      }
    }
    List<LocalDate> chosen = new ArrayList<>();
    large.entrySet().stream()
        .sorted(Map.Entry.<LocalDate, Integer>comparingByValue().reversed())
        .map(Map.Entry::getKey)
        .forEach(
            day -> {
              boolean isApart =
                  chosen.stream()
                      .allMatch(other -> Math.abs(other.toEpochDay() - day.toEpochDay()) >= DAYS);
              if (isApart && chosen.size() < count) {
                chosen.add(day);
              }
            });
    return chosen.stream().map(day -> of(rows, day, speed)).toList();
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(SharedData.file("philly/philly.csv.gz"))),
                StandardCharsets.UTF_8))) {
      int number = 0;
      for (String line : (Iterable<String>) reader.lines()::iterator) {
        number++;
        if (number > 1 && !line.isBlank()) {
          rows.add(Row.of(line, number));
        }
      }
    }
    rows.sort(Comparator.comparing(Row::submitted));
    return rows;
  }

  private static PhillySlice of(List<Row> rows, LocalDate day, int speed) {
    LocalDateTime start = day.atStartOfDay();
    LocalDateTime end = start.plusDays(DAYS);
    List<Row> there =
        rows.stream()
            .filter(row -> !row.submitted.isBefore(start) && row.submitted.isBefore(end))
            .toList();
    List<Row> lasting = there.stream().filter(row -> row.seconds / speed >= LEAST_SECONDS).toList();
    List<Row> taken = thinned(lasting, end);
    List<TrialJob> jobs = taken.stream().map(row -> job(row, start, speed)).toList();
    int cut = (int) taken.stream().filter(row -> row.seconds > LONGEST_SECONDS).count();
    return new PhillySlice(
        day, jobs, there.size() - lasting.size(), lasting.size() - taken.size(), cut, shares(rows));
  }

  /** Returns the large jobs and as many others as make the load. */
  private static List<Row> thinned(List<Row> rows, LocalDateTime end) {
    double all = LOAD * NODES * GPUS_OF_NODE * Duration.ofDays(DAYS).toSeconds();
    List<Row> taken = new ArrayList<>(rows.stream().filter(Row::isLarge).toList());
    double work = taken.stream().mapToDouble(row -> row.work(end)).sum();
    for (Row row :
        rows.stream()
            .filter(row -> !row.isLarge())
            .sorted(Comparator.comparingDouble(Row::draw))
            .toList()) {
      if (work >= all) {
        break;
      }
      taken.add(row);
      work += row.work(end);
    }
    taken.sort(Comparator.comparing(Row::submitted));
    return taken;
  }

  private static TrialJob job(Row row, LocalDateTime start, int speed) {
    double seconds = Math.min(row.seconds, LONGEST_SECONDS) / speed;
    boolean isOneNode = row.gpus <= GPUS_OF_NODE;
    return new TrialJob(
        Duration.between(start, row.submitted).dividedBy(speed),
        isOneNode ? 1 : Math.min(NODES, Math.ceilDiv(row.gpus, GPUS_OF_NODE)),
        isOneNode ? row.gpus : GPUS_OF_NODE,
        Duration.ofMillis((long) (seconds * 1000)),
        "batch",
        Duration.ofMinutes((long) Math.ceil(seconds * row.over / 60)),
        List.of("--account=vc" + row.cluster));
  }

  /**
   * Returns for each virtual cluster its part of all GPU time of the table, in GPUs, at least 1.
   */
  private static Map<String, Integer> shares(List<Row> rows) {
    Map<String, Double> work = new TreeMap<>();
    rows.forEach(
        row -> work.merge("vc" + row.cluster, row.work(row.submitted.plusDays(DAYS)), Double::sum));
    double all = work.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Integer> shares = new TreeMap<>();
    work.forEach(
        (name, part) -> shares.put(name, Math.max(1, (int) (part / all * NODES * GPUS_OF_NODE))));
    return shares;
  }
}

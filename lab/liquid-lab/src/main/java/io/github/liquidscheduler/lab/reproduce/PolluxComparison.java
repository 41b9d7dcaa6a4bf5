package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.reference.pollux.GoodputCluster;
import io.github.liquidscheduler.lab.reference.pollux.GoodputJob;
import io.github.liquidscheduler.lab.reference.pollux.GoodputPolicies;
import io.github.liquidscheduler.lab.reference.pollux.GoodputRun;
import io.github.liquidscheduler.lab.reference.pollux.GoodputSimulator;
import io.github.liquidscheduler.lab.reference.pollux.GoodputWorkload;
import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplication;
import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplications;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Average completion times of each policy on workloads of Pollux, beside the published ones. */
final class PolluxComparison {

  private final List<Integer> workloads;
  private final List<Achieved> achieved = new ArrayList<>();

  PolluxComparison(List<Integer> workloads) {
    this.workloads = List.copyOf(workloads);
  }

  /** What a policy reached on a workload. */
  private record Achieved(int workload, GoodputRun run) {

    double published() {
      return run.policy().published(workload);
    }

    double change() {
      return 100 * (run.averageCompletion() / published() - 1);
    }

    String json() {
      return String.format(
          Locale.ROOT,
          """
          {
            "workload" : %d,
            "policy" : "%s",
            "avg_jct" : %.6f,
            "original_policy" : "%s",
            "original_avg_jct" : %.3f,
            "makespan" : %d,
            "restarts_per_job" : %.6f
          }\
          """,
          workload,
          run.policy().name().toLowerCase(Locale.ROOT),
          run.averageCompletion(),
          run.policy().original(),
          published(),
          run.makespan(),
          run.restartsPerJob());
    }
  }

  /**
   * Runs all policies.
   *
   * @param progress is told how many workloads are done, of how many
   */
  void run(Path data, BiConsumer<Long, Long> progress) {
    Map<String, MeasuredApplication> applications =
        MeasuredApplications.read(data.resolve("traces"));
    long done = 0;
    for (int workload : workloads) {
      Path file = data.resolve("workloads").resolve("workload-" + workload + ".csv");
      List<GoodputJob> jobs = GoodputWorkload.read(file, applications);
      for (GoodputPolicies policy : GoodputPolicies.values()) {
        GoodputSimulator simulator = GoodputSimulator.of(GoodputCluster.PUBLISHED, policy);
        achieved.add(new Achieved(workload, simulator.run(jobs)));
      }
      done++;
      progress.accept(done, (long) workloads.size());
    }
  }

  /** Returns a table with a line for each workload, and a summary. */
  List<String> lines() {
    Table table =
        Table.of(
            "workload | tiresias | published | % | optimus | published | % | ours | pollux | % |"
                + " restarts per job");
    for (int workload : workloads) {
      table.row(row(achieved.stream().filter(one -> one.workload() == workload).toList()));
    }
    long atOrBelow = ours().filter(one -> one.run().averageCompletion() <= one.published()).count();
    String summary =
        "Ours is at or below Pollux on %d of %s."
            .formatted(atOrBelow, Count.of(workloads.size(), "workload"));
    return Stream.of(
            Stream.of("Average completion time in seconds:", ""),
            table.lines().stream(),
            Stream.of("", summary))
        .flatMap(lines -> lines)
        .toList();
  }

  private Stream<Achieved> ours() {
    return achieved.stream().filter(one -> one.run().policy() == GoodputPolicies.GOODPUT);
  }

  private static List<String> row(List<Achieved> policies) {
    List<String> row = new ArrayList<>();
    row.add(Integer.toString(policies.get(0).workload()));
    for (Achieved one : policies) {
      row.add(text("%.3f", one.run().averageCompletion()));
      row.add(text("%.3f", one.published()));
      row.add(text("%+.2f", one.change()));
    }
    row.add(text("%.1f", policies.get(policies.size() - 1).run().restartsPerJob()));
    return row;
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns all figures as a JSON array, the last line ended. */
  String json() {
    return "[\n" + String.join(",\n", achieved.stream().map(Achieved::json).toList()) + "\n]\n";
  }
}

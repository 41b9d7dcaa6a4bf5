package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Explains why jobs wait in a saved state. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Says why jobs wait: in the state of a snapshot, or after the last event of a journal.",
      "",
      "Of one job: where it stands, what it lacks, and what would let it run. Of all: a line each.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid explain --journal day.jsonl",
      "  liquid explain --journal day.jsonl --job train-7",
      "  liquid explain --snapshot state.json --cluster cluster.json --job train-7 --json"
    })
public final class ExplainCommand implements Callable<Integer> {

  @Mixin private final SavedScheduler saved = new SavedScheduler();

  @Option(names = "--job", paramLabel = "ID", description = "One waiting job (default: all).")
  private @Nullable String job;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    LiquidScheduler scheduler = saved.restore();
    List<Explanation> explanations =
        (job == null ? scheduler.waiting() : List.of(JobId.of(job)))
            .stream().map(scheduler::explain).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      List<String> texts = explanations.stream().map(JsonCodecs.EXPLANATION::write).toList();
      out.println("[" + String.join(",\n", texts) + "]");
    } else if (job != null) {
      explanations.forEach(explanation -> out.println(explanation.describe()));
    } else {
      print(explanations, scheduler, out);
    }
    out.flush();
    return 0;
  }

  private static void print(
      List<Explanation> explanations, LiquidScheduler scheduler, PrintWriter out) {
    if (explanations.isEmpty()) {
      out.println("no job waits");
      return;
    }
    Table table = Table.of("job | GPUs | expected start | why it waits").endingInText();
    for (Explanation explanation : explanations) {
      String gpus =
          scheduler.job(explanation.job()).map(spec -> Integer.toString(spec.gpus())).orElse("");
      UnmetConstraint why = explanation.unmetConstraints().getFirst();
      table.row(
          List.of(
              explanation.job().value(),
              gpus,
              start(explanation.queue().expectedStart()),
              why.describe()));
    }
    table.print(out);
  }

  private static String start(Optional<StartEstimate> estimate) {
    return estimate
        .map(
            known ->
                switch (known) {
                  case StartEstimate.ExpectedAt at -> at.instant().toString();
                  case StartEstimate.NotBefore at -> "not before " + at.instant();
                  case StartEstimate.PromisedBy at -> "by " + at.instant();
                })
        .orElse("not known");
  }
}

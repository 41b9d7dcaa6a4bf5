package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.lab.baseline.TierCost;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The jobs of Liquid's published drivers: a parameter server and two workers, each with a GPU, 4
 * cores and 4 GB; one of three models, a batch size of 4 to 32 in steps of 4 and 200 to 1000
 * batches in steps of 50, all drawn alike often.
 */
final class LiquidWorkload {

  /** What a drawn job takes on average where it runs fastest. */
  static final double MEAN_SECONDS = meanSeconds();

  private static final List<Drawn> BATCH =
      List.of(
          new Drawn("inception3", 12, 250),
          new Drawn("resnet50", 28, 850),
          new Drawn("resnet50", 4, 950),
          new Drawn("vgg16", 32, 1000),
          new Drawn("resnet50", 4, 850),
          new Drawn("inception3", 4, 1000),
          new Drawn("resnet50", 16, 750),
          new Drawn("vgg16", 20, 750));

  private static final int MEAN_BATCH_SIZE = 18;
  private static final int MEAN_BATCHES = 600;

  /** The mock runner's runs take 95 to 99 % of the published times. */
  private static final double MEAN_LUCK = 0.97;

  private static final ResourceRequest TASK =
      ResourceRequest.builder()
          .gpus(1)
          .cpu(CpuCores.of(4))
          .memory(Memory.ofGib(4))
          .gpuMemory(Memory.ofGib(8))
          .build();

  private static final TaskRole SERVER = new TaskRole(PlacementTimes.SERVER, 1, TASK);

  private LiquidWorkload() {}

  /** Draws jobs that come as a Poisson process, on average with a pause between each two. */
  static Trace draw(int jobs, Duration pause, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> models = PlacementTimes.models();
    List<TraceJob> drawn = new ArrayList<>();
    double submit = 0;
    for (int number = 0; number < jobs; number++) {
      String model = models.get(random.nextInt(models.size()));
      int batchSize = 4 * random.nextInt(1, 9);
      int batches = 50 * random.nextInt(4, 21);
      drawn.add(job(model, number, batchSize, batches, Duration.ofMillis(Math.round(submit))));
      submit -= Math.log(1 - random.nextDouble()) * pause.toMillis();
    }
    return Trace.of("Liquid's jobs, seed " + seed, drawn);
  }

  /**
   * Returns the jobs of the published batch experiment, which all come at once: eight for each five
   * nodes, in the order of the released driver and of the sizes that its seed 2020 draws.
   */
  static Trace batch(int times) {
    List<TraceJob> jobs = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      for (Drawn drawn : BATCH) {
        jobs.add(job(drawn.model, jobs.size(), drawn.batchSize, drawn.batches, Duration.ZERO));
      }
    }
    return Trace.of("Liquid's batch of " + jobs.size() + " jobs", jobs);
  }

  /** A job as the driver drew it. */
  private record Drawn(String model, int batchSize, int batches) {}

  private static double meanSeconds() {
    double samples = (double) MEAN_BATCH_SIZE * MEAN_BATCHES;
    double published = (double) PlacementTimes.BATCH_SIZE * PlacementTimes.ITERATIONS;
    return MEAN_LUCK
        * samples
        / published
        * PlacementTimes.models().stream()
            .collect(
                Collectors.averagingDouble(
                    model -> PlacementTimes.publishedSeconds(model, PlacementShape.TOGETHER)));
  }

  /** Returns a job alone, as large as those whose run times were published. */
  static Trace alone(String model) {
    return Trace.of(
        model,
        List.of(
            job(model, 0, PlacementTimes.BATCH_SIZE, PlacementTimes.ITERATIONS, Duration.ZERO)));
  }

  private static TraceJob job(
      String model, int number, int batchSize, int batches, Duration submit) {
    return TraceJob.builder(model + "-" + number)
        .submit(submit)
        .model("%s (batch size %d)".formatted(model, batchSize))
        .iterations(batches)
        .gpus(3)
        .build();
  }

  /** Runs jobs for as long as was published, and returns those that finished. */
  static List<JobOutcome> run(
      Simulation.Builder simulation, long seed, Function<TraceJob, JobSpec> submission) {
    return simulation
        .speed(PlacementTimes.published(seed))
        .durationKnowledge(DurationKnowledge.nothing())
        .submittedAs(submission)
        .build()
        .run()
        .finished()
        .stream()
        .map(JobFate.Finished::outcome)
        .toList();
  }

  /** Returns the model of a drawn job. */
  static String model(TraceJob job) {
    return job.id().substring(0, job.id().lastIndexOf('-'));
  }

  /**
   * Describes a job to the scheduler.
   *
   * @param workersFirst whether the workers' containers come before the server's
   */
  static JobSpec submission(TraceJob job, boolean workersFirst) {
    String model = model(job);
    TaskRole workers = new TaskRole(PlacementTimes.WORKER, 2, TASK);
    List<TaskRole> roles = workersFirst ? List.of(workers, SERVER) : List.of(SERVER, workers);
    JobSpec.Builder spec =
        JobSpec.builder(job.id())
            .communication(
                new Communication.ParameterServer(
                    PlacementTimes.SERVER, PlacementTimes.WORKER, 4 * parameters(model)));
    roles.forEach(spec::role);
    TierCost.setBandwidth(spec, PlacementTimes.WORKER, model.equals("vgg16") ? 2 : 1);
    return spec.build();
  }

  /** Returns the number of parameters of a model as its authors published it. */
  private static long parameters(String model) {
    return switch (model) {
      case "vgg16" -> 138_357_544;
      case "resnet50" -> 25_557_032;
      case "inception3" -> 23_834_568;
      default -> throw new IllegalArgumentException("unknown model '" + model + "'");
    };
  }
}

package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.ClusterPort;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.reconcile.Observation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.scheduling.AdvanceReservation.Maintenance;
import io.github.liquidscheduler.slurm.JobLine.Column;
import io.github.liquidscheduler.slurm.process.BesideOthers;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import io.github.liquidscheduler.slurm.process.ProcessRunner;
import io.github.liquidscheduler.slurm.process.UpdateBatches;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Slurm, by its commands {@code squeue}, {@code sinfo}, {@code scontrol}, {@code scancel} and,
 * where there is accounting, {@code sacct}. It has to run as root, as SlurmUser or as an operator.
 *
 * <p>A job is called as Slurm calls it, {@code 17} or {@code 17_3}. It runs as one task on each of
 * its nodes. Nodes can be chosen, and how many GPUs of each; which of them cannot.
 *
 * <p>{@link #observe} waits for commands; {@link #carryOut} does not, and runs at most four
 * processes at a time, the commands of one job in order. Before the first of them it lists the jobs
 * once more, and refuses a command where another job has the id by now.
 */
public final class SlurmPort implements ClusterPort {

  /** How many processes that carry out commands run at a time. */
  private static final int AT_A_TIME = 4;

  private static final List<String> CONFIG = List.of("scontrol", "show", "config");

  private static final List<String> RESERVATIONS = List.of("scontrol", "show", "reservation", "-o");

  private final SlurmConfig config;
  private final CommandRunner runner;
  private final CommandRunner updates;
  private final InstantSource clock;
  private final LongSupplier stopwatch;
  private final JobListing listing;
  private final SlurmCluster.Listing nodes;
  private final ExecutorService executor;
  private final Map<String, String> written = new ConcurrentHashMap<>();
  private final GoneJobs gone = new GoneJobs();
  private final Registrations registrations = new Registrations();
  private @Nullable String epoch;
  private Map<String, ListedJob> jobs = Map.of();
  private @Nullable SwitchText switches;

  SlurmPort(SlurmConfig config, CommandRunner runner, InstantSource clock, LongSupplier stopwatch) {
    this.config = config;
    this.runner = runner;
    this.clock = clock;
    this.stopwatch = stopwatch;
    listing = new JobListing(runner, stopwatch);
    nodes = new SlurmCluster.Listing(runner);
    updates = new UpdateBatches(runner, AT_A_TIME);
    executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("liquid-slurm-", 0).factory());
  }

  /**
   * Makes a port to the Slurm of a configuration. Nothing is run yet.
   *
   * @param stopwatch the nanoseconds by which observations say when they began, such as {@code
   *     System::nanoTime}
   */
  public static SlurmPort of(SlurmConfig config, LongSupplier stopwatch) {
    return new SlurmPort(
        config,
        new ProcessRunner(config.commands(), config.slurmConf(), config.timeout()),
        InstantSource.system(),
        stopwatch);
  }

  /**
   * Returns {@code job_submit.lua}, which makes the jobs of the configured partitions wait for the
   * scheduler, to be put beside {@code slurm.conf}.
   */
  public static String submitPlugin(SlurmConfig config) {
    try (InputStream script = SlurmPort.class.getResourceAsStream("job_submit.lua")) {
      String names =
          config.partitions().stream()
              .map(name -> "[\"" + name.replaceAll("[\"\\\\\n]", "") + "\"] = true")
              .collect(Collectors.joining(", "));
      return new String(
              Objects.requireNonNull(script, "job_submit.lua").readAllBytes(),
              StandardCharsets.UTF_8)
          .replace("--[[partitions]]", names);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Looks whether Slurm is set up for this: its version, the partitions, the rights of this
   * process, the submit plugin, the lifetime of credentials. Changes nothing.
   *
   * @throws IOException if Slurm does not answer
   */
  public List<SlurmCheck> checks() throws IOException {
    return new SlurmChecks(config, runner, System.getProperty("user.name", "")).look();
  }

  @Override
  public Observation observe() throws IOException {
    Look look = look();
    jobs = look.jobs;
    return look.seen;
  }

  private Look look() throws IOException {
    long begun = stopwatch.getAsLong();
    Instant now = clock.instant();
    String before = epoch == null ? epoch() : epoch;
    try (BesideOthers<List<SlurmRecord>> shown = BesideOthers.begin(nodes::read);
        BesideOthers<String> reserved =
            BesideOthers.begin(() -> runner.run(RESERVATIONS).done("scontrol show reservation"))) {
      List<ListedJob> listed = listing.jobs(written);
      SlurmCluster cluster = SlurmCluster.of(config, shown.get(), switches(before, shown.get()));
      Throttles throttles = new Throttles(licences(listed), listed);
      List<ObservedJob> read = new JobReader(config, cluster, now).read(listed, throttles);
      List<Maintenance> maintenance =
          SlurmCluster.Reservations.maintenance(reserved.get(), cluster.topology());
      epoch = epoch();
      if (!epoch.equals(before)) {
        throw new IOException("slurmctld was restarted since it was last observed");
      }
      gone.see(read);
      return new Look(
          new Observation(
              begun,
              epoch,
              cluster.topology(),
              registrations.settled(cluster.conditions(), begun),
              read,
              maintenance),
          listed.stream().collect(Collectors.toMap(ListedJob::id, job -> job, (a, b) -> b)));
    }
  }

  /** Returns which life of slurmctld this is. */
  private String epoch() throws IOException {
    @Nullable String boot =
        SlurmChecks.settings(runner.run(CONFIG).done("scontrol show config")).get("BOOT_TIME");
    if (boot == null) {
      throw new IOException("scontrol show config must have BOOT_TIME, but has not");
    }
    return boot;
  }

  /** Returns the switches or blocks as printed; read again when the nodes are others. */
  private String switches(String epoch, List<SlurmRecord> nodes) throws IOException {
    List<String> names = nodes.stream().map(node -> node.text("name")).toList();
    if (switches == null || !switches.epoch.equals(epoch) || !switches.nodes.equals(names)) {
      CommandRunner.Answer answer =
          runner.run(List.of("scontrol", "show", "topology")).answered("scontrol show topology");
      switches = new SwitchText(epoch, names, answer.isDone() ? answer.output() : "");
    }
    return switches.text;
  }

  private String licences(List<ListedJob> listed) throws IOException {
    return listed.stream().allMatch(job -> job.text(Column.LICENSES).isEmpty())
        ? ""
        : runner.run(List.of("scontrol", "show", "licenses", "-o")).done("scontrol show licenses");
  }

  @Override
  public Optional<ObservedJob> lookUp(JobId job) throws IOException {
    if (commands().show(job.value()).isPresent()) {
      Look look = look();
      for (ObservedJob one : look.seen.jobs()) {
        if (one.id().equals(job)) {
          // What follows from the last observation is about the jobs as they were then.
          Map<String, ListedJob> known = new HashMap<>(jobs);
          known.put(job.value(), Objects.requireNonNull(look.jobs.get(job.value())));
          jobs = known;
          return Optional.of(one);
        }
      }
    }
    return gone.accounted(runner, job);
  }

  @Override
  public CompletionStage<List<Confirmation>> carryOut(List<Command> commands) {
    JobCommands slurm = commands();
    Map<JobId, List<Integer>> byJob = new LinkedHashMap<>();
    for (int i = 0; i < commands.size(); i++) {
      byJob.computeIfAbsent(commands.get(i).job(), any -> new ArrayList<>()).add(i);
    }
    List<CompletableFuture<Confirmation>> confirmations = new ArrayList<>();
    commands.forEach(command -> confirmations.add(new CompletableFuture<>()));
    byJob
        .values()
        .forEach(
            positions ->
                submit(
                    () -> carryOut(slurm, commands, positions, confirmations),
                    positions,
                    confirmations));
    return CompletableFuture.allOf(confirmations.toArray(CompletableFuture[]::new))
        .thenApply(done -> confirmations.stream().map(CompletableFuture::join).toList());
  }

  private JobCommands commands() {
    return new JobCommands(updates, config, jobs, written, new SameJobs(updates, jobs));
  }

  private void submit(
      Runnable work, List<Integer> positions, List<CompletableFuture<Confirmation>> confirmations) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      positions.forEach(
          at ->
              confirmations
                  .get(at)
                  .completeExceptionally(new IOException("the port is closed", e)));
    }
  }

  /** Carries out the commands of one job in order; after one that is not known, no other. */
  private static void carryOut(
      JobCommands slurm,
      List<Command> commands,
      List<Integer> positions,
      List<CompletableFuture<Confirmation>> confirmations) {
    @Nullable Exception failure = null;
    for (int at : positions) {
      try {
        if (failure == null) {
          confirmations.get(at).complete(slurm.carryOut(commands.get(at)));
        }
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      if (failure != null) {
        confirmations.get(at).completeExceptionally(failure);
      }
    }
  }

  /**
   * Gives the jobs that wait for the scheduler back to Slurm, as their users submitted them: it
   * starts them as it likes, none before the time that its user asked for. Once the submit plugin
   * is taken out, the scheduler has no part in the cluster any more.
   *
   * @return what became of each, in one line; nothing once all are given back
   * @throws IOException if Slurm does not answer; some may have been given back
   */
  public List<String> release() throws IOException {
    Instant now = clock.instant();
    JobState states = new JobState(config.ownership(), now);
    JobCommands commands = commands();
    List<String> lines = new ArrayList<>();
    for (ListedJob job : listing.jobs(written)) {
      if (JobReader.isInside(config, job) && states.waits(job)) {
        lines.add(commands.release(job, now));
      }
    }
    return lines;
  }

  /** Does nothing: Slurm does not tell of changes. */
  @Override
  public void onChange(Runnable look) {}

  @Override
  public Set<Feature> features() {
    return Set.of(Feature.GRACE);
  }

  /** Ends no command that runs; none begins any more. */
  @Override
  public void close() {
    executor.shutdown();
  }

  private record Look(Observation seen, Map<String, ListedJob> jobs) {}

  private record SwitchText(String epoch, List<String> nodes, String text) {}
}

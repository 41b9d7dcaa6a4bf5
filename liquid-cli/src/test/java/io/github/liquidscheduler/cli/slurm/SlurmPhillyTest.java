package io.github.liquidscheduler.cli.slurm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two days of Microsoft's Philly in half an hour, three times, as a real Slurm decides by itself
 * and as the daemon decides. It runs for up to an hour, so this is not in the gate. The conditions
 * were written before any result was seen:
 *
 * <ul>
 *   <li>Cluster: 32 nodes with 8 GPUs each, which exist only as devices; jobs hold them and sleep.
 *   <li>Time: one second is 96. A job that then runs for less than 2 s is left out and counted.
 *   <li>Slices: of all pairs of days from 24 September 2017, before which the table has fewer than
 *       20 jobs a day, the three without a common day that have the most jobs of at least 16 of
 *       Philly's GPUs; of equal ones the first.
 *   <li>Load: Philly had about ten times as many GPUs, 93 % of its jobs one each, and jobs that ran
 *       for weeks. Runs are cut at half a day (450 s), and counted. Each job asks for twice its
 *       GPUs: 2 is the smallest whole number for which each of the slices demands at least 1.05
 *       times the GPU time that there is within its two days. Then jobs of fewer than 32 GPUs are
 *       taken in an order drawn by the numbers of their lines until the demand is 1.05.
 *   <li>Shape: up to 8 GPUs on one node; more are whole nodes, at most 32.
 *   <li>Time limits: the run time, times a factor from 1.25 to 4 drawn by the number of the line,
 *       in whole minutes, rounded up. Nothing else is said about run times.
 *   <li>Virtual clusters are accounts. The share of each is its part of the GPU time of the whole
 *       table, runs cut alike, in whole GPUs of 256, at least 1. Both are told the same shares.
 *   <li>Slurm: backfill with one reservation and the shortest intervals; {@code
 *       priority/multifactor} with fair share above age above size, and slurmdbd. The half-life of
 *       usage is a week, 105 minutes here; it is counted each minute, the shortest that there is.
 *   <li>Liquid: a queue for each account that is guaranteed its share; in it the smallest product
 *       of GPUs and time limit first ({@code saf}). Up to eight jobs of at least 32 GPUs hold
 *       reservations, and come first. Nothing is pre-empted for quota, since Slurm does not either.
 *       All jobs have the same priority: the table has none.
 *   <li>Both, and the three slices, run at the same time on the same machine, which does other
 *       things too: each has the same disturbances. Waits are from submission to start as Slurm
 *       writes them down, in whole seconds.
 *   <li>Beside them, first come, first served, with the same backfill and no accounts: for {@code
 *       liquid slurm --dry-run --history}, which is then told this policy, and has to say the mean
 *       wait within 5 %.
 *   <li>To reach: in each slice Liquid's mean wait is not above Slurm's, and the 95th percentile
 *       and the mean of jobs of at least 32 GPUs not above 1.1 times Slurm's.
 * </ul>
 *
 * <p>{@code -Dliquid.philly.speed=960} tries out the test itself. It was tried out so once before
 * the first result, and one condition was set after that: the first day, since two nearly empty
 * days of the time before would have been a slice.
 *
 * <p>With {@code fifo} and one reservation for any job, Liquid missed the goal. What it is told now
 * was chosen on the six slices that come next by their large jobs, in simulations, and before a run
 * of it beside Slurm on these three; simulations of these three had been looked at as well.
 */
@Tag("slurm")
@Tag("soak")
class SlurmPhillyTest {

  private static final int SLICES = 3;
  private static final int SPEED = Integer.getInteger("liquid.philly.speed", 96);
  private static final Duration LIMIT = Duration.ofMinutes(40);
  private static final Path KEPT = Path.of("target", "philly");

  private static final String BACKFILL =
      "SchedulerParameters=bf_job_part_count_reserve=1,bf_interval=1,bf_max_time=10,bf_continue,"
          + "bf_resolution=1,bf_max_job_test=5000,sched_interval=2,batch_sched_delay=0,"
          + "default_queue_depth=5000";

  private static final String FIRST_COME = "Slurm fifo";

  private static final String MORE_TIME = "OverTimeLimit=1";

  private static final List<String> SHARES =
      List.of(
          BACKFILL,
          MORE_TIME,
          "PriorityType=priority/multifactor",
          "PriorityWeightFairshare=100000",
          "PriorityWeightAge=10000",
          "PriorityWeightJobSize=1000",
          "PriorityMaxAge=00:30:00",
          "PriorityDecayHalfLife=01:45:00",
          "PriorityCalcPeriod=1");

  @TempDir private Path folder;

  private final Map<String, ToldWaits> said = new ConcurrentHashMap<>();

  /** A Slurm that is ready for the jobs of a slice. */
  private record Way(String name, PhillySlice slice, PrivateSlurm slurm, AutoCloseable more) {}

  @Test
  void twoDaysOfPhillyWaitNoLongerThanUnderSlurmAlone() throws Exception {
    assumeTrue(PrivateSlurm.isAccountingInstalled(), "needs Slurm with accounting");
    Files.createDirectories(KEPT);
    List<Way> ways = new ArrayList<>();
    try {
      for (PhillySlice slice : PhillySlice.mostLarge(SLICES, SPEED)) {
        write(described(slice));
        ways.add(bySlurm(slice));
        ways.add(byLiquid(slice));
        ways.add(firstComeFirstServed(slice));
      }
      Map<String, PhillyWaits> waits = run(ways);
      SoftAssertions.assertSoftly(
          softly -> {
            for (Way way : ways) {
              if (way.name.equals("Liquid")) {
                PhillyWaits slurm = requireNonNull(waits.get("Slurm " + way.slice.day()));
                PhillyWaits liquid = requireNonNull(waits.get("Liquid " + way.slice.day()));
                String day = way.slice.day().toString();
                softly.assertThat(liquid.mean()).as(day).isLessThanOrEqualTo(slurm.mean());
                softly.assertThat(liquid.p95()).as(day).isLessThanOrEqualTo(1.1 * slurm.p95());
                softly.assertThat(liquid.large()).as(day).isLessThanOrEqualTo(1.1 * slurm.large());
              }
            }
            said.forEach(
                (day, told) ->
                    softly
                        .assertThat(told.said())
                        .as(day + " " + told)
                        .isCloseTo(told.inSlurm(), error(told)));
          });
    } finally {
      for (Way way : ways) {
        way.more.close();
        way.slurm.close();
      }
    }
  }

  private Map<String, PhillyWaits> run(List<Way> ways) throws Exception {
    Map<String, PhillyWaits> waits = new HashMap<>();
    Map<String, Future<PhillyWaits>> running = new HashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(ways.size())) {
      for (Way way : ways) {
        Callable<PhillyWaits> run = () -> waits(way);
        running.put(way.name + " " + way.slice.day(), threads.submit(run));
      }
      for (Map.Entry<String, Future<PhillyWaits>> way : running.entrySet()) {
        waits.put(way.getKey(), way.getValue().get());
      }
    }
    return waits;
  }

  private PhillyWaits waits(Way way) throws IOException {
    List<TrialJob> jobs = way.slice.jobs();
    Path kept = KEPT.resolve(way.name.replace(' ', '-') + "-" + way.slice.day());
    try {
      List<TrialOutcome> ended = SlurmTrial.asleep(way.slurm, jobs, LIMIT).run();
      Path history = kept.resolveSibling(kept.getFileName() + ".sacct").toAbsolutePath();
      Files.write(history, TrialHistory.of(jobs, ended));
      PhillyWaits waits = PhillyWaits.of(jobs, ended);
      write(
          "%s, %s: %s, processor time of slurmctld %s"
              .formatted(way.slice.day(), way.name, waits, way.slurm.controllerTime()));
      assertThat(ended).as(way.toString()).hasSize(jobs.size());
      if (way.name.equals(FIRST_COME)) {
        ToldWaits told = ToldWaits.of(way.slurm, history, jobs, ended);
        write("%s, %s".formatted(way.slice.day(), told));
        said.put(way.slice.day().toString(), told);
      }
      return waits;
    } finally {
      Files.copy(way.slurm.history(), kept, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Returns 5 %, and the half second to which the command rounds. */
  private static Offset<Double> error(ToldWaits told) {
    return within(0.05 * told.inSlurm() + 0.5);
  }

  private Way bySlurm(PhillySlice slice) throws IOException {
    PrivateSlurm slurm =
        PrivateSlurm.startWithAccounting(
            empty(slice, "shares"), PrivateSlurm.Shape.of(PhillySlice.NODES).with(SHARES));
    for (Map.Entry<String, Integer> share : slice.shares().entrySet()) {
      slurm.run(
          "sacctmgr",
          "-i",
          "add",
          "account",
          share.getKey(),
          "cluster=trial",
          "fairshare=" + share.getValue());
      slurm.run("sacctmgr", "-i", "add", "user", "root", "account=" + share.getKey());
    }
    return new Way("Slurm", slice, slurm, () -> {});
  }

  private Way firstComeFirstServed(PhillySlice slice) throws IOException {
    PrivateSlurm.Shape shape = PrivateSlurm.Shape.of(PhillySlice.NODES);
    return new Way(
        FIRST_COME,
        slice,
        PrivateSlurm.start(empty(slice, "fifo"), shape.with(List.of(BACKFILL, MORE_TIME))),
        () -> {});
  }

  private Way byLiquid(PhillySlice slice) throws IOException {
    Path own = empty(slice, "liquid");
    Path slurmFolder = Files.createDirectory(own.resolve("slurm"));
    Path config = own.resolve("liquid.json");
    Files.writeString(
        config,
        "{\"partitions\": [\"batch\"], \"slurmConf\": \"%s\", \"queues\": {%s}}"
            .formatted(
                slurmFolder.resolve("slurm.conf"),
                each(slice, (name, share) -> "\"%1$s\": \"%1$s\"".formatted(name))));
    Path queues = own.resolve("queues.json");
    Files.writeString(
        queues,
        "{\"queues\": [%s], \"reclaiming\": \"NEVER\"}"
            .formatted(
                each(
                    slice,
                    (name, share) ->
                        "{\"name\": \"%s\", \"gpus\": {\"guaranteed\": %d, \"weight\": %d}}"
                            .formatted(name, share, share))));
    PrivateSlurm slurm =
        PrivateSlurm.start(
            slurmFolder,
            PrivateSlurm.Shape.of(PhillySlice.NODES)
                .with(SlurmPort.submitPlugin(SlurmConfig.read(config)))
                .with(List.of(MORE_TIME)));
    DaemonProcess daemon =
        new DaemonProcess(
            own,
            config,
            "--queues=" + queues,
            "--policy=saf",
            "--backfill=easy",
            "--reservations=8",
            "--reserve-for=" + PhillySlice.LARGE,
            "--hold-after=0s");
    slurm.await("the daemon decides", daemon::isReady);
    return new Way(
        "Liquid",
        slice,
        slurm,
        () -> {
          Files.writeString(KEPT.resolve("decisions-" + slice.day()), daemon.said());
          Files.writeString(KEPT.resolve("metrics-" + slice.day()), daemon.get("/metrics"));
          daemon.close();
        });
  }

  /** Writes what belongs to an account. */
  private interface EachShare {
    String written(String account, int share);
  }

  private static String each(PhillySlice slice, EachShare writer) {
    return slice.shares().entrySet().stream()
        .map(share -> writer.written(share.getKey(), share.getValue()))
        .collect(Collectors.joining(", "));
  }

  private Path empty(PhillySlice slice, String way) throws IOException {
    return Files.createDirectory(folder.resolve(way + slice.day().getDayOfYear()));
  }

  private static String described(PhillySlice slice) {
    return "%s: %d jobs, %d of at least %d GPUs; left out: %d too short, %d beyond the load; %d cut; shares %s"
        .formatted(
            slice.day(),
            slice.jobs().size(),
            slice.jobs().stream().filter(job -> job.allGpus() >= PhillySlice.LARGE).count(),
            PhillySlice.LARGE,
            slice.brief(),
            slice.thinned(),
            slice.cut(),
            slice.shares());
  }

  /** Adds a line to {@code target/philly.txt}. */
  private static synchronized void write(String line) throws IOException {
    Files.writeString(
        KEPT.resolveSibling("philly.txt"),
        line + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}

package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.etcd.AgentCommand;
import io.github.liquidscheduler.elastic.etcd.EtcdLeaseStore;
import io.github.liquidscheduler.elastic.etcd.EtcdServer;
import io.github.liquidscheduler.elastic.lease.Lease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Agents and training processes that are killed without warning, in the midst of given mini-batches
 * whatever else the machine does. How many runs is set by the system property {@code
 * liquid.elastic.kills}.
 */
@Tag("etcd")
class KilledProcessesTest {
  private static final int RUNS = Integer.getInteger("liquid.elastic.kills", 2);
  private static final int SAMPLES = 1600;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void theEpochCompletesThoughTheLeaderAndAWorkerAreKilled() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        EtcdLeaseStore store = EtcdLeaseStore.connect(server.endpoint())) {
      for (int run = 0; run < RUNS; run++) {
        try (Job job = new Job("run-" + run, server.endpoint(), store)) {
          job.play(new Random(run));
        }
      }
    }
  }

  /** Two agents with two workers each, of which half are killed. */
  private static final class Job implements AutoCloseable {
    private final String name;
    private final EtcdLeaseStore store;
    private final List<Spawned> agents = new ArrayList<>();
    private final List<String> ports = new ArrayList<>();
    private final Map<String, Spawned> workers = new LinkedHashMap<>();

    Job(String name, String etcd, EtcdLeaseStore store) throws Exception {
      this.name = name;
      this.store = store;
      for (int agent = 0; agent < 2; agent++) {
        agents.add(agent(etcd));
      }
      for (Spawned agent : agents) {
        ports.add(agent.await(1, line -> line.startsWith("port ")).substring("port ".length()));
      }
    }

    private Spawned agent(String etcd) throws Exception {
      return Spawned.java(
          AgentCommand.class,
          "job=" + name,
          "etcd=" + etcd,
          "samples=" + SAMPLES,
          "partitions=60",
          "batch=5",
          "workers=4",
          "lease=4000",
          "renewal=800",
          "suspect=5000");
    }

    void play(Random random) throws Exception {
      int leading = leader();
      int other = 1 - leading;
      boolean workerFirst = random.nextBoolean();
      int first = 10 + random.nextInt(20);
      int second = 50 + random.nextInt(20);
      work(leading, "a" + leading);
      work(leading, "b" + leading);
      long leader = agents.get(leading).pid();
      Spawned survivor = work(other, "survivor", kill(workerFirst ? second : first, leader));
      Spawned victim = work(other, "victim", kill(workerFirst ? first : second, "self"));

      (workerFirst ? victim : agents.get(leading)).awaitEnd();
      Spawned late = work(other, "late");
      Spawned left = agents.get(other);
      left.await(1, "finished"::equals);
      for (Spawned process : List.of(agents.get(leading), survivor, victim, late)) {
        process.awaitEnd();
      }

      PrintedTraining printed = new PrintedTraining(workers);
      printed.checkEachSampleCountsOnce(SAMPLES);
      printed.checkReport(left.printed("twice"));
      assertThat(left.printed("twice")).isNotEmpty();
    }

    private static String kill(int batch, Object process) {
      return "kill=" + batch + ":" + process;
    }

    private Spawned work(int agent, String worker, String... options) throws Exception {
      List<String> arguments = new ArrayList<>(List.of(ports.get(agent), worker));
      arguments.addAll(List.of(options));
      Spawned process =
          Spawned.python("python3", "log_worker.py", arguments.toArray(String[]::new));
      workers.put(worker, process);
      return process;
    }

    /** Returns who leads while the job waits for its workers. */
    private int leader() {
      Optional<Lease> lease = Optional.empty();
      while (lease.isEmpty()) {
        lease = store.read("/jobs/" + name);
      }
      String holder = lease.get().holder();
      return ports.indexOf(holder.substring(holder.indexOf(':') + 1));
    }

    @Override
    public void close() {
      workers.values().forEach(Spawned::close);
      agents.forEach(Spawned::close);
    }
  }
}
